"""Writing the turns of a game tree, as spec/records.md says."""

from collections.abc import Iterable, Iterator

from thrive_engine.games.base import Rules
from thrive_engine.record.node import Eval, Node, clock_text, lifted, plain

COLUMNS = 80


def turns_text(rules: Rules, root: Node, result: str) -> str:
    """The numbered turns below a root and the result, in lines of at most 80 columns.

    Only a word that is longer, or a comment with a ``}`` in it, makes a longer line.
    """
    writer = _Writer(rules)
    writer.write_tree(root)
    writer.write(result)
    return "\n".join(_lines(writer.words)) + "\n"


class _Writer:
    """The words of a game in order. One that ends in a newline must end its line."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.words: list[str] = []
        self.opening = ""
        self.numbered = True
        """Whether the next turn needs its number, whoever plays it."""

    def write_tree(self, root: Node) -> None:
        self._write_comments(*_after(root))
        # What is still to be written, the next last: a node to go on from, the first node of a
        # variation, or None for the end of one.
        todo: list[tuple[Node, bool] | None] = [(root, False)]
        while todo:
            item = todo.pop()
            if item is None:
                self._close()
                continue
            node, opens = item
            if opens:
                self.opening += "("
                self.numbered = True
                self._write_node(node)
                todo += [None, (node, False)]
            elif node.children:
                main, *others = node.children
                self._write_node(main)
                todo.append((main, False))
                todo += [(other, True) for other in reversed(others)]

    def _write_node(self, node: Node) -> None:
        for text in _before(node):
            self._write_comment(text)
        before = node.parent
        assert before is not None, "a root is not written as a turn"
        number, first = self.rules.numbering(before.position)
        text = before.position.annotate(node.turn)
        if first:
            text = f"{number}. {text}"
        elif self.numbered:
            text = f"{number}... {text}"
        self.write(text)
        self.numbered = False
        for glyph in dict.fromkeys(node.glyphs):
            self.write(f"${glyph}")
        self._write_comments(*_after(node))

    def _write_comments(self, score: Eval | None, clk: float | None, texts: list[str]) -> None:
        commands = "" if score is None else f"[%eval {score}]"
        if clk is not None:
            commands = f"{commands} [%clk {clock_text(clk)}]".lstrip()
        if commands and texts and "}" not in texts[0]:
            texts = [f"{commands} {texts[0]}", *texts[1:]]
        elif commands:
            texts = [commands, *texts]
        for text in texts:
            self._write_comment(text)

    def _write_comment(self, text: str) -> None:
        if "}" in text:
            if self.opening:
                self.write("")
            self.words.append(f"; {text}\n")
        else:
            for word in f"{{{text}}}".split(" "):
                self.write(word)
        self.numbered = True

    def _close(self) -> None:
        if self.words[-1].endswith("\n"):
            self.words.append(")")
        else:
            self.words[-1] += ")"
        self.numbered = True

    def write(self, word: str) -> None:
        self.words.append(self.opening + word)
        self.opening = ""


def _after(node: Node) -> tuple[Eval | None, float | None, list[str]]:
    """What is written after a node's turn, as the reader will understand it."""
    comments = node.comments
    if node.children and not _is_apart(node.children[0]):
        comments = comments + node.children[0].comments_before
    score, clk = node.eval, node.clk
    texts = []
    for comment in comments:
        score, clk, text = lifted(comment, score, clk)
        texts.append(text)
    return score, clk, list(filter(None, texts))


def _before(node: Node) -> Iterator[str]:
    return filter(None, map(plain, node.comments_before)) if _is_apart(node) else iter(())


def _is_apart(node: Node) -> bool:
    """Whether something stands before a turn that parts its comments from the turn before.

    That is the bracket of its own variation, or the variations to the turn before.
    """
    before = node.parent
    assert before is not None
    if before.children[0] is not node:
        return True
    earlier = before.parent
    return earlier is not None and len(earlier.children) > 1 and earlier.children[0] is before


def _lines(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if not line:
            line = word
        elif len(line) + 1 + len(word.rstrip("\n")) <= COLUMNS:
            line = f"{line} {word}"
        else:
            yield line
            line = word
        if line.endswith("\n"):
            yield line[:-1]
            line = ""
    if line:
        yield line
