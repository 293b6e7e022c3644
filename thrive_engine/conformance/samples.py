"""The positions with which engines are tested, one for each corner of the rules."""

START = "BrBrBrBrBrBr/6/6/6/6/WhWhWhWhWhWh w 1"
MIDDLE = "Br1Bqr2Br/2Br3/1Bw1W~cw2/2Wghi2Bdr/W4Wh/Wh5 w 12"
SKIPPED = "B~norstwxy4B~klpqruvw/6/6/6/6/W~cdehijno4W~abcfghkl w 30"
"""No piece can move, on either side: every turn begins with 0000."""
ONE_HOLE = "3B~B~abB~/6/6/6/6/W~W~W~a3 w 60"
NO_HOLE = "3B~B~B~/6/6/6/6/W~W~W~3 w 60"
"""Nothing but movements; the only kind of position that can stand again."""
OWN_CAPTURE = "3BrBrBr/6/6/6/W5/Wh5 w 3"
"""The only turn takes the player's own piece, and loses."""
CAPTURE = "5Br/4B1/3Whi2/6/6/Wh5 w 9"
"""d4e5 wins at once, and nothing else does."""
TWO_TWO = "4B~abB~cd/6/6/6/6/W~cwW~ab4 w 40"
"""Two against two: whoever fills a piece wins."""
TWO_TWO_BLACK = "4B~abB~cd/6/6/6/6/W~cwW~ab4 b 40"
TWO_THREE = "4B~cdB~ef/6/6/6/1B~ab4/W~4W~cw w 40"
"""a1b2 makes it two against two with a full piece: the movement ends the game."""
SMALL = (SKIPPED, ONE_HOLE, NO_HOLE, OWN_CAPTURE, TWO_TWO, TWO_TWO_BLACK, TWO_THREE)
"""With so few turns that they can all be looked at."""
GOING = (START, MIDDLE, CAPTURE, *SMALL)

WHITE_CAPTURED = "5Br/6/6/6/Wh5/Wh5 b 40"
BLACK_CAPTURED = "BrBr4/6/6/6/6/Wh5 w 40"
WHITE_FILLED = "4BrBr/6/6/6/1Wh4/W~5 b 40"
BLACK_OWN_CAPTURE = "5Br/6/6/6/Wh5/Wh5 w 40"
OVER = (WHITE_CAPTURED, BLACK_CAPTURED, WHITE_FILLED, BLACK_OWN_CAPTURE)

ROUND = ("a1a2", "d6d5", "a2a1", "d5d6")
"""From NO_HOLE back to it."""
OPENING = ("a1a2+a2gi", "f6f5+f5lq", "a2b3+b1a+c1y", "a6a5+a5ab")
