"""What the developers use: games for the evaluation to learn from, its training, the book."""
