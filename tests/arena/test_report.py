"""The report is one page that stands alone, whatever was played."""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from runs import arena
from synthetic import (
    OPENINGS,
    RESULTS,
    first_games,
    played,
    random_games,
    store,
    tournament,
)

from thrive_engine.arena.event import game_event
from thrive_engine.arena.job import Adjudication, Played
from thrive_engine.arena.listing import MOST_GAMES
from thrive_engine.arena.page import element, escaped
from thrive_engine.arena.plot import (
    Axis,
    Bar,
    Interval,
    Series,
    Spread,
    bar_plot,
    histogram,
    interval_plot,
    line_plot,
    spread_plot,
)
from thrive_engine.arena.rating import Results
from thrive_engine.arena.report import report, write_report
from thrive_engine.arena.schedule import Format
from thrive_engine.arena.sprt import Sprt
from thrive_engine.arena.standing import Standing
from thrive_engine.arena.store import Store
from thrive_engine.arena.tally import (
    endings_of,
    length_bins,
    llr_history,
    played_out,
    quantile,
    sampled,
    score_history,
    time_use,
)
from thrive_engine.errors import ArenaError

HOSTILE = "<script>alert('1')</script>\"&'\x1b[31m\u202e\x00\ud800"
SEVEN = ("a", "b", "c", "d", "e", "f", "g")


class Page(HTMLParser):
    """A page that has been read: its elements must nest, and only it has its ids."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"{tag} has an attribute twice"
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.words.append((self.open[-1] if self.open else "", data))

    @property
    def text(self) -> str:
        return "\n".join(data for tag, data in self.words if tag != "style")

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page_of(plan: Any, games: list[Played]) -> Page:
    return Page(text_of(plan, games))


def text_of(plan: Any, games: list[Played]) -> str:
    standing = Standing(plan, [game_event(game, game.number) for game in games])
    return report(standing, {game.number: game for game in games}, "games.pgn")


def check(text: str) -> Page:
    """The page, if it is one that can be shown anywhere."""
    page = Page(text)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for _, attributes in page.tags:
        target = attributes.get("href")
        assert target is None or target == "games.pgn" or (target[0] == "#" and target[1:] in ids)
        assert not any(name.startswith("on") or name == "src" for name in attributes)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in page.tags}
    assert "url(" not in text
    assert "@import" not in text
    assert re.search(r"\b(nan|inf|None|Infinity)\b", page.text) is None
    for attributes in (attributes for _, attributes in page.tags):
        for name in ("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "width", "height", "points"):
            assert not re.search(r"nan|inf|e\+", str(attributes.get(name, "")))
    return page


# The page as a whole


def test_a_report_of_no_games_says_so() -> None:
    page = check(text_of(tournament(), []))
    assert "No game has a result yet." in page.text
    assert "0 games of 40 so far" in page.text
    assert page.all("svg") == []


@pytest.mark.parametrize("names", [("ada", "bob"), ("ada", "bob", "cy")])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_every_result_of_a_few_games_gives_a_finite_page(names: Any, count: int) -> None:
    plan = tournament(names, sprt=Sprt(0, 10) if len(names) == 2 else None)
    for results in product((*RESULTS, "*"), repeat=count):
        check(text_of(plan, first_games(plan, results)))


@pytest.mark.parametrize("results", [["1-0", "0-1"], ["0-1", "1-0"], ["1/2-1/2"], ["*"]])
def test_a_sweep_gives_a_finite_page(results: list[str]) -> None:
    plan = tournament(sprt=Sprt(0, 10), pairs=50)
    page = check(text_of(plan, first_games(plan, results * 20)))
    assert ("at least" in page.text) == (results == ["1-0", "0-1"])


@pytest.mark.parametrize("kind", [Format.SWISS, Format.KNOCKOUT, Format.GAUNTLET])
def test_every_format_has_a_page(kind: Format) -> None:
    plan = tournament(SEVEN, format=kind, rounds=3 if kind is Format.SWISS else 0, pairs=1)
    page = check(text_of(plan, first_games(plan, ["1-0"] * 4)))
    assert f"A {kind.value} of 7 engines" in page.text


def test_what_engines_and_files_say_is_only_text() -> None:
    names = (f"ada{HOSTILE}", f"bob{HOSTILE}")
    plan = tournament(names, event=HOSTILE)
    games = [
        replace(
            game,
            termination=HOSTILE,
            reason=HOSTILE,
            faults=((names[0], HOSTILE),),
            record=f"{HOSTILE}\n</pre></details>{HOSTILE}",
            claims=((1, 1), (0, 0)),
        )
        for game in first_games(plan, RESULTS)
    ]
    text = text_of(plan, games)
    page = check(text)
    text.encode()
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "<script>alert('1')</script>\"&'\ufffd[31m\ufffd\ufffd\ufffd" in page.text


def test_ten_thousand_games_give_a_page_of_a_sensible_size() -> None:
    plan = tournament(pairs=5000, sprt=Sprt(-0.1, 0.1))
    games = random_games(plan, 10_000)
    text = text_of(plan, games)
    page = check(text)
    assert len(text) < 2_000_000
    assert f"{MOST_GAMES} of 10,000 games are listed" in page.text
    assert len(page.all("details")) <= MOST_GAMES
    assert max(len(str(each["points"]).split()) for each in page.all("polyline")) <= 240
    failed = [game.number for game in games if game.faults]
    assert {"href": f"#game-{failed[-1]}"} in page.all("a")
    assert f"{len(failed)} faults, of which the last 100 are listed" in page.text


def test_the_same_directory_gives_the_same_page(tmp_path: Path) -> None:
    plan = tournament()
    found = store(tmp_path, plan, random_games(plan, 30))
    first = write_report(found).read_bytes()
    assert write_report(found).read_bytes() == first


def test_plots_have_titles_and_descriptions_and_tables_have_headings() -> None:
    plan = tournament(sprt=Sprt(0, 10))
    page = page_of(plan, random_games(plan, 40))
    drawings = [each for each in page.all("svg") if each.get("role") == "img"]
    titles = [data for tag, data in page.words if tag == "desc"]
    assert len(drawings) == len(titles) == 6
    assert len(page.all("caption")) == len(page.all("table"))
    assert {each["scope"] for each in page.all("th")} == {"col", "row"}


# The file


def test_the_report_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    plan = tournament()
    found = store(tmp_path, plan, [])
    (found.directory / "report.html").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_report(found)
    assert sorted(os.listdir(found.directory)) == [
        "config.json",
        "games.pgn",
        "journal.jsonl",
        "logs",
        "report.html",
    ]


def test_a_report_replaces_the_one_before(tmp_path: Path) -> None:
    found = store(tmp_path, tournament(), [])
    found.directory.joinpath("report.html").write_text("old")
    path = write_report(found)
    assert path == found.directory / "report.html"
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [name for name in os.listdir(found.directory) if name.endswith(".tmp")] == []


def test_a_tournament_that_has_not_begun_has_a_report(tmp_path: Path) -> None:
    found = store(tmp_path, tournament(), [])
    found.journal.unlink()
    assert "No game has a result yet." in write_report(found).read_text(encoding="utf-8")


def test_a_directory_without_a_tournament_has_no_report(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="there is no tournament in it"):
        write_report(Store(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_the_command_writes_the_page_and_says_where(tmp_path: Path) -> None:
    found = store(tmp_path, tournament(), first_games(tournament(), RESULTS))
    done = arena("report", found.directory)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{found.directory / 'report.html'}\n"
    check((found.directory / "report.html").read_text(encoding="utf-8"))


# Games and their records


def test_every_game_links_to_its_record_in_the_page() -> None:
    plan = tournament()
    games = first_games(plan, RESULTS)
    page = page_of(plan, games)
    for game in games:
        assert {"href": f"#game-{game.number}"} in page.all("a")
        assert {"id": f"game-{game.number}"} in page.all("pre")
        assert ("pre", game.record) in page.words


def test_a_game_is_said_to_be_at_its_line_of_the_file(tmp_path: Path) -> None:
    plan = tournament()
    found = store(tmp_path, plan, random_games(plan, 20))
    page = Page(write_report(found).read_text(encoding="utf-8"))
    lines = found.games.read_text(encoding="utf-8").split("\n")
    told = re.findall(r"Game \d+: (\w+) – .*\(games\.pgn, line (\d+)\)", page.text)
    assert len(told) == 20
    for white, line in told:
        assert lines[int(line) - 1] == f'[White "{white}"]'


def test_a_record_that_has_no_room_is_linked_in_the_file() -> None:
    plan = tournament()
    games = first_games(plan, RESULTS)
    games[1] = replace(games[1], record="x" * 1_000_000 + "\n")
    page = check(text_of(plan, games))
    assert len(page.all("pre")) == 2
    assert {"href": "games.pgn", "title": "line 5"} in page.all("a")


# What is said


def test_a_decided_test_is_the_first_thing_that_is_said() -> None:
    plan = tournament(sprt=Sprt(0, 50), pairs=50)
    page = page_of(plan, first_games(plan, ["1-0", "0-1"] * 50))
    assert "H1 accepted: ada is worth +50 rather than 0 normalised Elo against bob" in page.text
    assert "finished after the test was decided: not counted." in page.text


def test_faults_claims_and_wrong_adjudications_are_counted() -> None:
    plan = tournament(adjudication=Adjudication(resign_score=500, played_out=0.5))
    games = [
        played(1, ("ada", "bob"), "1-0", foretold="1-0", claims=((2, 0), (0, 0))),
        played(2, ("bob", "ada"), "1-0", foretold="0-1", claims=((1, 3), (0, 1))),
        played(3, ("ada", "bob"), "1-0", termination="adjudication"),
        played(4, ("bob", "ada"), "0-1", termination="crash", faults=(("bob", "crash: gone"),)),
    ]
    page = page_of(plan, games)
    assert "1 game ended by adjudication. Of 2 more that were played out by the rules" in page.text
    assert "1 did not end as adjudication would have had it: 50.0 %" in page.text
    assert "Announced wins\nEngine\nChecked\nRight\nWrong\nada\n3\n2\n1\nbob\n4\n1\n3" in page.text
    assert "Wrong ones: Games \n2" in page.text
    assert "1 fault" in page.text
    assert "crash: gone" in page.text
    assert "lost for an engine that says 3 times that it is 5 behind" in page.text


# Counts


def test_a_score_is_followed_game_by_game() -> None:
    plan = tournament()
    scores = Standing(
        plan, [game_event(game, 0) for game in first_games(plan, ["1-0", "1-0", "1/2-1/2"])]
    ).scores()
    assert score_history(scores, "ada") == [
        (1, Results.of_games(wins=1)),
        (2, Results.of_games(wins=1, losses=1)),
        (3, Results.of_games(wins=1, losses=1, draws=1)),
    ]


def test_the_followed_test_ends_where_the_standing_is() -> None:
    plan = tournament(sprt=Sprt(0, 30), pairs=300)
    events = [game_event(game, 0) for game in random_games(plan, 600)]
    for end in (0, 1, 2, 51, 600):
        standing = Standing(plan, events[:end])
        test = standing.summary().test
        assert test is not None
        assert llr_history(standing)[-1][1] == test.llr
        assert llr_history(standing)[0] == (0, 0.0)
    decided = standing.decided
    assert decided is not None
    assert llr_history(standing)[-1][0] == 2 * (decided + 1)


def test_turns_are_counted_for_the_seat_that_begins() -> None:
    games = [
        played(1, ("ada", "bob"), "1-0", opening=OPENINGS[0]),
        played(2, ("bob", "ada"), "1-0", opening=OPENINGS[1], slowest=(0.1, 0.4)),
    ]
    used = time_use(games, lambda opening: int(" b " in opening))
    ada, bob = used["ada"], used["bob"]
    assert (ada.turns, ada.slowest, ada.slowest_game) == (4, 0.4, 2)
    assert (bob.turns, bob.slowest, bob.slowest_game) == (2, 0.1, 1)
    assert ada.averages == pytest.approx((0.05, 0.1))
    assert ada.seconds == pytest.approx(0.3)


def test_endings_are_those_of_the_player_in_either_seat() -> None:
    games = first_games(tournament(), ["1-0", "1-0", "1/2-1/2", "*"])
    assert endings_of(games, "ada") == {
        "captured": Results.of_games(wins=1, losses=1),
        "repetition": Results.of_games(draws=1),
    }


def test_a_game_that_ended_by_a_fault_says_nothing_about_adjudication() -> None:
    game = played(1, ("ada", "bob"), "0-1", foretold="1-0", termination="crash")
    assert played_out([game]).games == 0


@pytest.mark.parametrize("size", [0, 1, 2, 10, 11, 997])
def test_a_sample_keeps_both_ends(size: int) -> None:
    found = sampled(range(size), 10)
    assert len(found) == min(size, 10)
    assert found == sorted(set(found))
    assert not size or (found[0], found[-1]) == (0, size - 1)


def test_quantiles_are_values_that_occurred() -> None:
    assert [quantile([1, 2, 3, 4], share) for share in (0.05, 0.25, 0.5, 0.95)] == [1, 1, 2, 4]
    assert quantile([], 0.5) == 0


@pytest.mark.parametrize("lengths", [[], [3], [3, 3, 5], list(range(1000)), [1, 1_000_000]])
def test_every_length_is_in_one_column(lengths: list[int]) -> None:
    bins = length_bins(lengths)
    assert len(bins) <= 40
    for low, after, count in bins:
        assert count == sum(low <= length < after for length in lengths)
    assert sum(count for *_, count in bins) == len(lengths)


# Plots


def points(text: str) -> list[tuple[float, float]]:
    found = Page(text).all("polyline")[0]["points"]
    assert found is not None
    return [(float(x), float(y)) for x, y in (each.split(",") for each in found.split())]


def rects(text: str) -> Iterator[tuple[float, float]]:
    for each in Page(text).all("rect"):
        yield float(str(each["width"])), float(str(each["height"]))


def test_a_line_goes_through_its_points() -> None:
    series = Series("s", [(0, 0), (5, 100), (10, 50)], [(0, 10), (90, 100), (40, 60)])
    text = line_plot("t", "d", [series], labels=("x", "y"), heights=(0, 100))
    (x0, y0), (x1, y1), (x2, y2) = points(text)
    assert x1 - x0 == pytest.approx(x2 - x1)
    assert y0 > y2 > y1
    assert y0 - y2 == pytest.approx(y2 - y1)


def test_bars_are_as_long_as_their_counts() -> None:
    text = bar_plot("t", "d", [Bar("a", (6, 0)), Bar("b", (2, 4))], [("p", "s0"), ("q", "s1")], "x")
    widths = [width for width, _ in rects(text)]
    assert widths == pytest.approx([widths[0], widths[0] / 3, widths[0] * 2 / 3], abs=0.2)


def test_columns_are_as_high_as_their_counts() -> None:
    text = histogram("t", "d", [(1, 2, 4), (2, 3, 0), (3, 4, 1)], ("x", "y"))
    heights = [height for _, height in rects(text)]
    assert heights == pytest.approx([heights[0], 0, heights[0] / 4], abs=0.2)


def test_an_interval_has_its_value_inside_unless_it_is_open() -> None:
    text = interval_plot("t", "d", [Interval("a", 10, -10, 30), Interval("b", -10, -20, 0)], "Elo")
    first, second = (float(str(each["cx"])) for each in Page(text).all("circle"))
    assert first > second
    text = interval_plot("t", "d", [Interval("a", 900, 300, 2400, is_open=True)], "Elo")
    assert Page(text).all("circle") == []
    assert len(points(text)) == 3


def test_times_of_nothing_at_all_can_be_drawn() -> None:
    check(spread_plot("t", "d", [Spread("a", (0, 0, 0, 0, 0), 0)], "time"))


def test_plots_of_nothing_can_be_drawn() -> None:
    for text in (
        line_plot("t", "d", [], labels=("x", "y"), heights=(0, 1)),
        interval_plot("t", "d", [], "x"),
        spread_plot("t", "d", [], "x"),
        bar_plot("t", "d", [], [("p", "s0")], "x"),
        histogram("t", "d", [], ("x", "y")),
    ):
        check(text)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]), (-3, 3, [-3, -2, -1, 0, 1, 2, 3]), (0, 7, [0, 2, 4, 6])],
)
def test_ticks_are_round(low: float, high: float, ticks: list[float]) -> None:
    assert Axis(low, high, 0, 1).ticks() == pytest.approx(ticks)


# Markup


def test_text_is_escaped_and_elements_are_not() -> None:
    assert element("p", "<", element("b", "&")) == "<p>&lt;<b>&amp;</b></p>"
    assert element("a", title='"', href=None) == '<a title="&quot;"></a>'
    assert escaped(escaped("<")) == "&lt;"
