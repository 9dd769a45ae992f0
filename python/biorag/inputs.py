"""The input contract: what a caller may pass, checked before any transaction begins.

Every function returns the value in the form in which it is stored, or raises one error that names
the field, the value and the rule.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from biorag.errors import InvalidInputError, KeyNounsError, LimitExceededError

MAX_NAME_CHARACTERS = 200
MAX_CONTENT_CHARACTERS = 200_000
MAX_PAGE_SIZE = 1_000
_LAST_OF_DAY_S = 86_399.999_999
MAX_PAGE = 1_000_000_000  # times the page size it still fits SQLite's 64-bit offset
SMALLEST_ALPHA, LARGEST_ALPHA = 0.001, 0.5
QUESTIONS = 400  # of each kind that a calibration makes from the store
FEWEST_QUESTIONS, MOST_QUESTIONS = 20, 5_000
KEY_NOUN_CHARACTERS = range(2, 16)
FEWEST_BURST_WORDS, MOST_BURST_WORDS = 3, 15
BURST_WORD_CHARACTERS = 64
DIMENSION_VALUE_CHARACTERS = range(2, 81)

EARLIEST_EPOCH = datetime(1, 1, 1, tzinfo=UTC).timestamp()
LATEST_EPOCH = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()

# Marks that only steer the direction of display, and spaces of no width. Text that is copied from
# a chat carries them unseen, so a key without them is what its writer meant. The joiners of emoji
# and Indic scripts (U+200C, U+200D) change what is read, and stay.
_UNSEEN = dict.fromkeys(
    [0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
)
# Tabs and line breaks are white space to a reader, though "control" to Unicode.
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DIMENSION_VALUE = re.compile("[a-z][a-z0-9_]*")

MissingKeyNouns = Literal["SUSTANTIVOS_CLAVE_REQUERIDOS", "SUSTANTIVOS_CLAVE_AUSENTES"]
_KEY_NOUN_COUNT = "SUSTANTIVOS_CLAVE_CANTIDAD_INVALIDA"
_KEY_NOUN_FORMAT = "SUSTANTIVOS_CLAVE_FORMATO_INVALIDO"


def normalise_name(name: object, field: str = "name") -> str:
    """A memory's name as it is stored and shown: NFC, white space collapsed, ends trimmed.

    Raises:
        InvalidInputError: not text, nothing visible in it, or a control character or half of a
            surrogate pair in it.
        LimitExceededError: longer than 200 characters.
    """
    text = _text(name, field)
    control = _CONTROL.search(text)
    if control is not None:
        raise InvalidInputError(
            field, name, f"a name holds no control characters, but here is {control[0]!r}"
        )
    shown = " ".join(unicodedata.normalize("NFC", text).split())
    if not shown.translate(_UNSEEN).strip():
        raise InvalidInputError(field, name, "a name needs at least one visible character")
    if len(shown) > MAX_NAME_CHARACTERS:
        raise LimitExceededError(
            field, name, f"a name has at most {MAX_NAME_CHARACTERS} characters, not {len(shown)}"
        )
    return shown


def name_key(name: str) -> str:
    """The key under which a name is unique: two names with the same key are the same name.

    Case does not count (`STRASSE` is `straße`, `İzmir` is `izmir`), accents do, space and `_` are
    alike, and marks that only steer the direction of display are left out.
    """
    # Case folding leaves the dot of a Turkish capital İ behind as a mark of its own.
    folded = unicodedata.normalize("NFD", name).casefold().replace("i\u0307", "i")
    bare = unicodedata.normalize("NFC", folded).translate(_UNSEEN)
    # A name of nothing but underscores is a name too.
    return " ".join(bare.replace("_", " ").split()) or "_"


def check_content(content: object, field: str = "content") -> str:
    """A memory's text, unchanged but for surrogates: two halves are joined, a lone one is U+FFFD.

    A half alone is no character and no file could hold it. It comes from a model's broken output,
    whose rest is worth keeping, so it is replaced where it can be seen instead of refused.

    Raises:
        InvalidInputError: not text, empty, or a NUL in it.
        LimitExceededError: longer than 200,000 characters.
    """
    text = _repaired(content, field)
    if not text:
        raise InvalidInputError(field, content, "the content needs at least one character")
    if len(text) > MAX_CONTENT_CHARACTERS:
        raise LimitExceededError(
            field,
            content,
            f"the content has at most {MAX_CONTENT_CHARACTERS:,} characters, not {len(text):,}:"
            " store it in parts",
        )
    if "\0" in text:
        raise InvalidInputError(
            field,
            content,
            f"the content holds no NUL, but here is one at position {text.index(chr(0))}",
        )
    return text


def parse_key_nouns(
    value: object,
    *,
    minimum: int,
    maximum: int,
    missing_code: MissingKeyNouns,
    field: str = "sustantivos_clave",
) -> tuple[str, ...]:
    """Key nouns, lower-cased, trimmed, each once, in order.

    Args:
        value: A sequence of words, words separated by commas, or a JSON list of words.
        minimum: How many there must be; with 0 there may be none.
        maximum: How many there may be.
        missing_code: The error's code when there are none and some are needed.
        field: The parameter's name, for the error.

    Raises:
        KeyNounsError: none, too few, too many, or one that is no word of 2 to 15 letters, digits
            and underscores; `code` says which.
    """
    nouns = tuple(dict.fromkeys(_key_noun(piece, field) for piece in _pieces(value, field)))
    wanted = f"give {minimum} to {maximum} key nouns"
    if not nouns and minimum > 0:
        raise KeyNounsError(field, value, wanted, code=missing_code)
    if not minimum <= len(nouns) <= maximum:
        raise KeyNounsError(field, value, f"{wanted}, not {len(nouns)}", code=_KEY_NOUN_COUNT)
    return nouns


def normalise_dimension_value(value: object) -> str | None:
    """A dimension's value in snake_case ASCII without marks; None when it cannot take that form.

    The form has 2 to 80 characters and does not start with a digit. Letters of other scripts have
    no such form; signs between words become one underscore.
    """
    if not isinstance(value, str):
        return None
    decomposed = unicodedata.normalize("NFD", value).casefold()
    letters = [
        character if unicodedata.category(character)[0] in "LN" else "_"
        for character in decomposed
        if unicodedata.category(character) != "Mn"
    ]
    snake = "_".join(filter(None, "".join(letters).split("_")))
    if len(snake) not in DIMENSION_VALUE_CHARACTERS or not _DIMENSION_VALUE.fullmatch(snake):
        return None
    return snake


def check_valence(value: object, field: str = "valence") -> float:
    """A somatic valence in [0, 1].

    Raises:
        InvalidInputError: not a number, not finite, or outside the range.
    """
    return _unit_interval(value, field)


def check_weight(value: object, field: str = "weight") -> float:
    """A synaptic weight in [0, 1].

    Raises:
        InvalidInputError: not a number, not finite, or outside the range.
    """
    return _unit_interval(value, field)


def moment_to_epoch(moment: object, field: str = "created_at") -> float:
    """A `Moment` as seconds since 1970-01-01T00:00:00Z; a time without a zone is UTC.

    Raises:
        InvalidInputError: not a datetime, ISO 8601 text or number of seconds, not finite, or
            outside the years 1 to 9999.
    """
    if isinstance(moment, datetime):
        epoch = _epoch(moment)
    elif isinstance(moment, str):
        try:
            epoch = _epoch(datetime.fromisoformat(moment.strip()))
        except ValueError as error:
            raise InvalidInputError(
                field, moment, "a time is written as in 2026-05-01T10:30:00Z"
            ) from error
    else:
        epoch = _number(moment, field, "a time is a datetime, ISO 8601 text or epoch seconds")
    if not EARLIEST_EPOCH <= epoch <= LATEST_EPOCH:
        raise InvalidInputError(
            field, moment, "a time lies in the years 1 to 9999, in seconds (not milliseconds)"
        )
    return epoch


def last_moment(moment: object, field: str = "until") -> float:
    """The last instant that a `Moment` names: of a date without a time, the end of its day.

    Raises:
        InvalidInputError: as `moment_to_epoch`.
    """
    epoch = moment_to_epoch(moment, field)
    is_day = isinstance(moment, str) and len(moment.strip()) == len("2026-01-31")
    return epoch + _LAST_OF_DAY_S if is_day else epoch


def check_query(query: object, field: str = "query") -> str:
    """A question's text; what holds no word finds nothing, which is an answer, not an error.

    A lone half of a surrogate pair in it is no part of a word, as in a memory's text.

    Raises:
        InvalidInputError: not text.
        LimitExceededError: longer than any text that could be stored.
    """
    text = _repaired(query, field)
    if len(text) > MAX_CONTENT_CHARACTERS:
        raise LimitExceededError(
            field, text, f"a question has at most {MAX_CONTENT_CHARACTERS:,} characters"
        )
    return text


def check_burst_words(words: object, field: str = "burst_words") -> tuple[str, ...]:
    """The words of a burst, trimmed, each once, in order; none is no burst.

    Raises:
        InvalidInputError: not a sequence of texts, or fewer than three of them.
        LimitExceededError: more than fifteen, or one is longer than 64 characters.
    """
    if isinstance(words, str) or not isinstance(words, Sequence):
        raise InvalidInputError(field, words, "expected a list of words")
    kept = tuple(
        dict.fromkeys(word for word in (_repaired(w, field).strip() for w in words) if word)
    )
    rule = f"give {FEWEST_BURST_WORDS} to {MOST_BURST_WORDS} words"
    if len(kept) > MOST_BURST_WORDS:
        raise LimitExceededError(field, words, f"{rule}, not {len(kept)}")
    if kept and len(kept) < FEWEST_BURST_WORDS:
        raise InvalidInputError(field, words, f"{rule}, not {len(kept)}")
    for word in kept:
        if len(word) > BURST_WORD_CHARACTERS:
            raise LimitExceededError(field, word, f"at most {BURST_WORD_CHARACTERS} characters")
    return kept


def check_limit(value: object, field: str = "limit") -> int:
    """How many results a page may hold.

    Raises:
        InvalidInputError: not a whole number, or below 1.
        LimitExceededError: above 1,000.
    """
    return _whole(value, field, MAX_PAGE_SIZE)


def check_page(value: object, field: str = "page") -> int:
    """Which page is wanted, counted from 1.

    Raises:
        InvalidInputError: not a whole number, or below 1.
        LimitExceededError: further than any store reaches.
    """
    return _whole(value, field, MAX_PAGE)


def check_count(value: object, field: str, most: int) -> int:
    """How many of something that may be none are wanted.

    Raises:
        InvalidInputError: not a whole number, or below 0.
        LimitExceededError: above `most`.
    """
    return _whole(value, field, most, smallest=0)


def check_alpha(value: object, field: str = "alpha") -> float:
    """The share of unanswerable questions that may be answered, in [0.001, 0.5].

    Raises:
        InvalidInputError: not a number, not finite, or outside the range.
    """
    rule = f"must be a number from {SMALLEST_ALPHA} to {LARGEST_ALPHA}"
    number = _number(value, field, rule)
    if not SMALLEST_ALPHA <= number <= LARGEST_ALPHA:
        raise InvalidInputError(field, value, rule)
    return number


def check_question_count(value: object, field: str = "questions") -> int:
    """How many questions of a kind a calibration makes.

    Raises:
        InvalidInputError: not a whole number, or below 20.
        LimitExceededError: above 5,000.
    """
    count = _whole(value, field, MOST_QUESTIONS)
    if count < FEWEST_QUESTIONS:
        raise InvalidInputError(field, value, f"must be {FEWEST_QUESTIONS} or more")
    return count


def _text(value: object, field: str) -> str:
    """Text in which neighbouring halves of a surrogate pair are joined.

    Raises:
        InvalidInputError: not text, or a half that stands alone in it.
    """
    joined = _joined(value, field)
    lone = _SURROGATE.search(joined)
    if lone is not None:
        raise InvalidInputError(
            field,
            value,
            f"half of a surrogate pair, {lone[0]!r}, stands alone at position {lone.start()}:"
            " it is no character",
        )
    return joined


def _repaired(value: object, field: str) -> str:
    """Text in which halves of a surrogate pair are joined, and those that stand alone replaced."""
    return _SURROGATE.sub("\ufffd", _joined(value, field))


def _joined(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(field, value, f"must be text, not {type(value).__name__}")
    if not _SURROGATE.search(value):
        return value
    # JSON and UTF-16 write a character beyond U+FFFF as two halves; a careless reader keeps both.
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _pieces(value: object, field: str) -> list[str]:
    """The words that were meant, still as they were written; blank ones are left out."""
    if value is None:
        return []
    if isinstance(value, str):
        text = value.strip()
        words = _decoded_list(text, field) if text.startswith("[") else [text]
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        words = list(value)
    else:
        raise KeyNounsError(field, value, "must be a list of words or words separated by commas")
    pieces: list[str] = []
    for word in words:
        if not isinstance(word, str):
            raise KeyNounsError(field, value, f"{word!r} is not a word", code=_KEY_NOUN_FORMAT)
        pieces += [piece.strip() for piece in word.split(",")]
    return [piece for piece in pieces if piece]


def _decoded_list(text: str, field: str) -> list[object]:
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise KeyNounsError(field, text, "this list is not valid JSON") from error
    if not isinstance(decoded, list):
        raise KeyNounsError(field, text, "must be a list of words")
    return decoded


def _key_noun(piece: str, field: str) -> str:
    noun = unicodedata.normalize("NFC", piece).lower()
    if len(noun) not in KEY_NOUN_CHARACTERS or not all(map(_is_word_character, noun)):
        raise KeyNounsError(
            field,
            piece,
            "a key noun has 2 to 15 letters, digits or underscores, without spaces",
            code=_KEY_NOUN_FORMAT,
        )
    return noun


def _is_word_character(character: str) -> bool:
    # Marks belong to the letter before them: many scripts have no single character for the two.
    return character == "_" or unicodedata.category(character)[0] in "LMN"


def _unit_interval(value: object, field: str) -> float:
    rule = "must be a number from 0 to 1"
    number = _number(value, field, rule)
    if not 0.0 <= number <= 1.0:
        raise InvalidInputError(field, value, rule)
    return number


def _number(value: object, field: str, rule: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidInputError(field, value, rule)
    try:
        number = float(value)
    except OverflowError as error:
        raise InvalidInputError(field, value, rule) from error
    if not math.isfinite(number):
        raise InvalidInputError(field, value, rule)
    return number


def _whole(value: object, field: str, largest: int, smallest: int = 1) -> int:
    rule = f"must be a whole number from {smallest} to {largest:,}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInputError(field, value, rule)
    if value < smallest:
        raise InvalidInputError(field, value, rule)
    if value > largest:
        raise LimitExceededError(field, value, rule)
    return value


def _epoch(moment: datetime) -> float:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp()
