"""American spelling, plain English and one spelling per term in everything a person reads.

Spellings are checked in all text, comments and docstrings included. Dialect and terms are checked
where users read: string literals, docstrings of commands (they are the help text), templates,
strings of scripts, and the docs. Each finding shows file, line, word and replacement.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src" / "hashmark"

BRITISH = {
    r"(?<!chart )(?<![.])offen(ce)s?": "offense",
    r"(?<!chart )(?<![.])defen(ce)s?": "defense",  # but for names of keys
    r"licences?": "license",
    r"practis(e|ed|es|ing)": "practice",
    r"cent(re|red|res|ring)": "center",
    r"(kilo|centi|milli)?met(re|res)": "meter",
    r"(theat|lit|fib|calib)res?": "-er",
    r"(col|fav|hon|behavi|neighb|lab|harb|flav|rum|hum|vap|end?eav)our\w*": "-or",
    r"\w*(penal|organ|real|recogn|normal|optim|minim|maxim|summar|initial|serial|synchron"
    r"|standard|visual|special|general|categor|prior\w?t|custom|author|memor|emphas|util|final"
    r"|random|formal|capital|neutral|stabil|parallel|discret|quant|character|apolog|critic"
    r"|sanit|local|token|vector|equal|anonym|item|popular|regular|central|modern)"
    r"is(e|ed|es|er|ers|ing|ation|ations)": "-ize",
    r"analys(e|ed|er|ing)": "analyze",
    r"(cance|trave|labe|mode|signa|leve|tota|channe|marsha|fue|tunne)ll(ed|ing|er|ers)": "one l",
    r"fulfil|fulfils|enrol|skilful|instalments?": "two l's",
    r"grey(s|ed|ish)?": "gray",
    r"programmes?": "program",
    r"catalogues?": "catalog",
    r"artefacts?": "artifact",
    r"judgements?": "judgment",
    r"manoeuvre\w*": "maneuver",
    r"whilst": "while",
    r"amongst": "among",
    r"towards": "toward",
    r"(learn|spel|burn|dream)t": "-ed",
    r"per cent": "percent",
}
DIALECT = {
    r"points? of a hundred": "percentage points",
    r"who(so)?ever|whomever": "name the person",
    r"whatever": "name the thing",
    r"(go|goes|going|gone|went) on with": "resume",
    r"fore(tell|tells|told|telling)": "forecast",
    r"of late": "recently",
    r"by heart": "out-of-sample",
    r"what (becomes?|became|comes?|came) of": "the result of",
    r"(is|are|was|were) thrown back": "loses ... yards",
    r"(lay|lays|laid) (the|a) table": "create a table",
    r"it lies": "it is",
    r"as it comes": "in order",
    r"nobody": "no one, no team, none",
    r"he|him|his|himself": "they, the player",
    r"(of )?one's own": "your own",
    r"anew": "again",
    r"rivals?": "baseline",
    r"(give|gives|gave|giving) away": "costs",
    r"(go|goes|went|going) on from": "resume",
    r"(bring|brings|brought) [^.]{0,20}along": "includes",
    r"noughts?": "zero",
    r"seldom": "rarely",
    r"reckon(s|ed|ing)?": "estimate",
    r"(see|sees) to it": "ensure",
    r"(some|every|any)body": "-one",
    r"(ball|file|solution|folder|log|spot) (lies|lie|lay) (in|at|on)": "is in, is at",
    r"(is|are) played for by": "is coached by",
    r"whence|whereby|thereof|therein|thereby|hitherto|wherein": "a plain clause",
    r"it is (told|said) (that|so)": "name who says so",
    r"hold-out": "out-of-sample",
    r"(as|so) (it|they) (lies|lie|stands there)": "as it is",
    r"takes? for granted": "assumes",
}
TERMS = {
    r"time[ ]?outs?": "time-out",
    r"two point (try|tries|conversions?)|two-point conversions?": "two-point try",
    r"onlookers?|lookers?-on": "spectator",
    r"half[ -]time": "halftime",
    r"play by play": "play-by-play",
    r"touch[ -]backs?": "touchback",
    r"kick-offs?": "kickoff",
    r"out of sample": "out-of-sample",
    r"(winning|win) chances?|chances? (of winning|to win)": "win probability",
    r"tie-breaks?|tie-breakers?": "tiebreaker",
    r"e-mails?": "email",
    r"game-?plans?": "game plan",
    r"play ?calling": "play-calling",
    r"box-?scores?": "box score",
    r"yardlines?": "yard line",
    r"play-offs?": "playoff",
    r"home field (advantage|edge)": "home-field advantage",
    r"score-?sheets?": "score sheet",
    r"web sites?|web-sites?": "website",
    r"goalline": "goal line",
    r"redzone|red-zone": "red zone",
    r"point after touchdown": "extra point",
}
# Names that logs, charts, positions and JSON keep; in literals without a space such as a key.
TECHNICAL_NAMES = {
    "offence",
    "defence",
    "timeout",
    "timeouts",
}
EVENT_NAMES = {"offence penalty", "defence penalty", "flag cancelled", "penalised", "time out"}
# Software timeouts, of requests and processes, in texts for hosts and developers.
SOFTWARE_TIMEOUTS = (
    "docs/guides/hosting.md",
    "docs/maintainers/",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "Containerfile",
)


def _compile(words: dict[str, str]) -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(rf"(?<![\w-])(?:{word})(?![\w-])", re.IGNORECASE), better)
        for word, better in words.items()
    ]


SPELLING_RULES = _compile(BRITISH)
TEXT_RULES = SPELLING_RULES + _compile(DIALECT) + _compile(TERMS)
PROSE_RULES = SPELLING_RULES + _compile(DIALECT)


class Passage(NamedTuple):
    """A piece of text, the line where it begins, and the rules that apply to it."""

    line: int
    text: str
    rules: list[tuple[re.Pattern[str], str]]


CODE_SPAN = re.compile(r"`+[^`]*`+")
LINK_TARGET = re.compile(r"\]\([^)]*\)|<https?:[^>]*>|https?://\S+")


def python_passages(source: str, *, is_command: bool = False) -> Iterator[Passage]:
    """Yield string literals, docstrings and comments; docstrings of commands are help text."""
    tree = ast.parse(source)
    docstrings, parts = set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings.add(first.value)
        elif isinstance(node, ast.JoinedStr):
            parts.update(node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
            )
            yield Passage(node.lineno, text, TEXT_RULES)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in parts:
            is_help = node not in docstrings or is_command
            yield Passage(node.lineno, node.value, TEXT_RULES if is_help else SPELLING_RULES)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Passage(token.start[0], token.string, SPELLING_RULES)


MARKUP = re.compile(
    r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|<script.*?</script>|<style.*?</style>"
    r"|\b(?:class|id|name|for|value|href|src|data-[\w-]+|hx-[\w-]+|aria-\w+by)=\"[^\"]*\""
    r"|</?[a-z][\w-]*",
    re.DOTALL,
)


def template_passages(source: str) -> Iterator[Passage]:
    """Yield the lines of a template without expressions, tags and technical attributes."""
    plain = MARKUP.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)
    for number, line in enumerate(plain.splitlines(), 1):
        yield Passage(number, re.sub(r" {2,}", "  ", line), TEXT_RULES)


SCRIPT_PARTS = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL
)


def script_passages(source: str) -> Iterator[Passage]:
    """Yield the strings of a script, and its comments."""
    for found in SCRIPT_PARTS.finditer(source):
        line = source.count("\n", 0, found.start()) + 1
        is_comment = found[0].startswith(("//", "/*"))
        text = found[0] if is_comment else found[0][1:-1]
        if is_comment or " " in text.strip():
            yield Passage(line, text, SPELLING_RULES if is_comment else TEXT_RULES)


def markdown_passages(source: str) -> Iterator[Passage]:
    """Yield paragraphs and samples; samples of code keep technical names."""
    is_fenced = False
    paragraph: list[str] = []
    start = 1
    for number, line in enumerate([*source.splitlines(), ""], 1):
        is_fence = line.lstrip().startswith("```")
        is_sample = is_fenced or line.startswith("    ")
        if paragraph and (not line.strip() or is_fence or is_sample):
            text = LINK_TARGET.sub("] ", CODE_SPAN.sub(" ` ", "\n".join(paragraph)))
            yield Passage(start, text, TEXT_RULES)
            paragraph = []
        if is_fence:
            is_fenced = not is_fenced
        elif is_sample:
            yield Passage(number, line, PROSE_RULES)
        elif line.strip():
            start = start if paragraph else number
            paragraph.append(line)


def find_words(passage: Passage) -> Iterator[tuple[int, str, str]]:
    """Yield line, word and replacement of each finding in a passage."""
    text = CODE_SPAN.sub(lambda found: " " * len(found[0]), passage.text)
    if passage.text in EVENT_NAMES:
        return
    allowed = set() if re.search(r"\s", text.strip()) else TECHNICAL_NAMES
    for pattern, better in passage.rules:
        for found in pattern.finditer(re.sub(r"\s", " ", text)):
            if found[0] not in allowed:
                yield passage.line + text.count("\n", 0, found.start()), found[0], better


def check_file(path: Path) -> list[str]:
    """Return the findings of a file as `file:line: word -> replacement`."""
    source, name = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
    if path.suffix == ".py":
        passages = python_passages(
            source, is_command="/cli/" in name or name.startswith(("tools/", "docs/"))
        )
    elif path.suffix == ".js":
        passages = script_passages(source)
    elif path.suffix == ".md":
        passages = markdown_passages(source)
    else:
        passages = template_passages(source)
    return [
        f"{name}:{line}: {word!r} -> {better}"
        for passage in passages
        for line, word, better in find_words(passage)
        if not (word.casefold().startswith("timeout") and name.startswith(SOFTWARE_TIMEOUTS))
    ]


def files(part: str) -> list[Path]:
    """Return the files of a part of the repository."""
    found = {
        "docs": [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")],
        "templates": [*SRC.rglob("*.html"), *SRC.rglob("*.svg")],
        "scripts": [*SRC.rglob("*.js")],
        "tools": [*(ROOT / "tools").glob("*.py"), *(ROOT / "docs").glob("*.py")],
        "project": [ROOT / "Makefile", ROOT / "pyproject.toml", ROOT / "Containerfile"],
    }
    return sorted(found.get(part) or (SRC / part).rglob("*.py") or SRC.glob("*.py"))


PACKAGES = sorted(path.parent.name for path in SRC.glob("*/__init__.py"))


@pytest.mark.parametrize("part", ["docs", "templates", "scripts", "tools", "project", *PACKAGES])
def test_words(part: str) -> None:
    findings = [finding for path in files(part) for finding in check_file(path)]
    assert not findings, "\n" + "\n".join(findings)


def test_words_of_single_modules() -> None:
    findings = [finding for path in sorted(SRC.glob("*.py")) for finding in check_file(path)]
    assert not findings, "\n" + "\n".join(findings)


def found_in(passages: Iterator[Passage]) -> list[str]:
    return [word for passage in passages for _, word, _ in find_words(passage)]


def test_literals_are_checked_for_everything_and_comments_for_spelling() -> None:
    source = 'def f():\n    """Nobody likes grey."""\n    return f"he {1} foretold"  # his colour'
    assert found_in(python_passages(source)) == ["grey", "foretold", "he", "colour"]
    assert "Nobody" in found_in(python_passages(source, is_command=True))


def test_words_broken_across_lines_are_found_with_their_line() -> None:
    passage = next(markdown_passages("\nA sentence\nthat is gone on\nwith here.\n"))
    assert list(find_words(passage)) == [(3, "gone on with", "resume")]


@pytest.mark.parametrize(
    "text",
    [
        "The `timeout` of `offence-audible` is a name.",
        "Promise a precise exercise; the analyses show emphasis and optimism.",
        "The cancellation of a programmer's play-by-play.",
        "[link](half-time.md) to a call of time-out",
    ],
)
def test_correct_sentences_and_names_pass(text: str) -> None:
    assert found_in(markdown_passages(text)) == []


def test_attributes_and_expressions_of_templates_are_names() -> None:
    source = '<p class="timeout" title="Call a time out">{{ timeout }} {% if he %}x{% endif %}</p>'
    assert found_in(template_passages(source)) == ["time out"]


def test_strings_of_scripts_are_checked() -> None:
    source = 'const timeout = setTimeout(f, 5); say("a grey time out"); // grey\nkey("timeout");'
    assert found_in(script_passages(source)) == ["grey", "time out", "grey"]
