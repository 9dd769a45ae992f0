"""The text analysis, slow and obvious; Snowball and the lists of function words are given."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

JOINERS = "_-.:/\\@#+"
INVISIBLE = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufe00-\ufe0f]"
)
LONGEST_WHOLE_BYTES = 64


class Token(NamedTuple):
    """A token and what it is: "word", "whole" or "pair"."""

    text: str
    kind: str


class Form(NamedTuple):
    """What is indexed: the spelling without accents, the term, whether it is a whole piece."""

    word: str
    term: str
    whole: bool


def tokens(text: str) -> list[Token]:
    """Compound pieces before their parts, CJK text as pairs, everything case-folded in NFC."""
    visible = INVISIBLE.sub("", text)
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", visible).casefold())
    found: list[Token] = []
    piece = ""
    for character in [*folded, " "]:
        if is_word_character(character) or character in JOINERS:
            piece += character
        else:
            found += tokens_of_piece(piece.lstrip(JOINERS))
            piece = ""
    return found


def tokens_of_piece(piece: str) -> list[Token]:
    core = piece.rstrip(JOINERS)
    whole, suffix = core, piece[len(core) :]
    if all(is_alphanumeric(character) for character in core):
        if suffix.startswith("++"):
            whole += "++"
        elif suffix.startswith("#"):
            whole += "#"
    found = []
    joined = any(character in JOINERS for character in whole)
    telling = any(is_numeric(c) or c in "_.:/@#+\\" for c in whole)
    if core and joined and telling and len(whole.encode()) <= LONGEST_WHOLE_BYTES:
        found.append(Token(whole, "whole"))
    for part in re.split(f"[{re.escape(JOINERS)}]", core):
        found += tokens_of_part(part)
    return found


def tokens_of_part(part: str) -> list[Token]:
    """Runs of one kind of script; a mark belongs to the run that it stands in."""
    runs: list[str] = []
    unspaced: list[bool] = []
    for character in part:
        if runs and (is_mark(character) or is_unspaced(character) == unspaced[-1]):
            runs[-1] += character
        else:
            runs.append(character)
            unspaced.append(is_unspaced(character))
    found = []
    for run, in_pairs in zip(runs, unspaced, strict=True):
        if not in_pairs:
            found.append(Token(run, "word"))
        elif len(run) == 1:
            found.append(Token(run, "pair"))
        else:
            found += [Token(run[at : at + 2], "pair") for at in range(len(run) - 1)]
    return found


def analyse(
    text: str,
    is_function_word: Callable[[str], bool],
    stem: Callable[[str], str],
) -> list[Form]:
    """The content words of a text, or all its words when they are all function words."""
    found = tokens(text)
    content = [token for token in found if token.kind != "word" or not is_function_word(token.text)]
    return [
        Form(
            fold_accents(token.text),
            stem(token.text) if token.kind == "word" else fold_accents(token.text),
            token.kind == "whole",
        )
        for token in content or found
    ]


def fold_accents(word: str) -> str:
    """Without the marks U+0300 to U+036F, but for the tilde of an n."""
    kept = ""
    base = ""
    for character in unicodedata.normalize("NFD", word):
        if "\u0300" <= character <= "\u036f":
            if character == "\u0303" and base in ("n", "N"):
                kept += character
        else:
            kept += character
            base = character
    return unicodedata.normalize("NFC", kept)


def is_word_character(character: str) -> bool:
    return is_alphanumeric(character) or is_mark(character)


def is_alphanumeric(character: str) -> bool:
    # Circled and squared letters are symbols to Python and letters to Unicode's Alphabetic.
    letters = "\u24b6" <= character <= "\u24e9" or "\U0001f130" <= character <= "\U0001f189"
    return unicodedata.category(character)[0] in "LN" or letters


def is_numeric(character: str) -> bool:
    return unicodedata.category(character)[0] == "N"


def is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M"


def is_unspaced(character: str) -> bool:
    """Kana, Han and Hangul."""
    ranges = [
        ("\u3040", "\u30ff"),
        ("\u3400", "\u4dbf"),
        ("\u4e00", "\u9fff"),
        ("\uac00", "\ud7af"),
        ("\uf900", "\ufaff"),
        ("\U00020000", "\U0003ffff"),
    ]
    return any(first <= character <= last for first, last in ranges)
