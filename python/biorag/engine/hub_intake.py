"""What bridges must be, checked before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from biorag import inputs
from biorag.errors import BridgesError, InvalidInputError, LimitExceededError
from biorag.lexicon.content_words import ContentWords, content_words, stems
from biorag.model import Angle, Bridge

ANGLES: tuple[Angle, ...] = get_args(Angle)
FEWEST_WORDS = 2  # one word is a synonym, and has a field of its own
MOST_BRIDGES = 100  # of a hub

_WANTED = "wanted are five bridges, one for each angle: " + ", ".join(ANGLES)


def check_angles(bridges: Sequence[Bridge], name: str) -> tuple[Bridge, ...]:
    """The five bridges of a memory, in the order of `ANGLES`; none at all is fine, too.

    Each leads to the memory by words of its own: at least two that say something, none of them in
    the memory's name or in another bridge, whatever their endings.

    Args:
        bridges: As given.
        name: Of the memory.

    Raises:
        BridgesError: they are not; the error names the bridge and what is wrong with it.
        InvalidInputError: a text breaks the rules of a name.
    """
    checked = _checked(bridges)
    if not checked:
        return ()
    by_angle: dict[Angle | None, Bridge] = {}
    for bridge in checked:
        if bridge.angle is None:
            raise BridgesError("bridges", bridge.text, f"has no angle; {_WANTED}")
        if bridge.angle in by_angle:
            rule = f"is a second one of angle {bridge.angle}; {_WANTED}"
            raise BridgesError("bridges", bridge.text, rule)
        by_angle[bridge.angle] = bridge
    missing = [angle for angle in ANGLES if angle not in by_angle]
    if missing:
        rule = f"{len(checked)} bridges, none of angle {', '.join(missing)}; {_WANTED}"
        raise BridgesError("bridges", [bridge.angle for bridge in checked], rule)
    ordered = tuple(by_angle[angle] for angle in ANGLES)
    [named, *read] = content_words([name.replace("_", " "), *(bridge.text for bridge in ordered)])
    for position, (bridge, words) in enumerate(zip(ordered, read, strict=True)):
        _check_words(bridge, words)
        own = shared_word(words, named)
        if own is not None:
            rule = f"{bridge.angle}: {own!r} is a word of the memory's name; use other words"
            raise BridgesError("bridges", bridge.text, rule)
        for other, others in zip(ordered[:position], read, strict=False):
            own = shared_word(words, others)
            if own is not None:
                rule = (
                    f"{bridge.angle}: {own!r} is also a word of {other.angle},"
                    f" {other.text!r}; no two bridges share a word"
                )
                raise BridgesError("bridges", bridge.text, rule)
    return ordered


def check_free(bridges: Sequence[Bridge], held: Sequence[str] = ()) -> tuple[Bridge, ...]:
    """Bridges that are added to a hub, in order: two content words or more, and no repetition.

    Args:
        bridges: As given.
        held: Texts of the bridges that the hub has.

    Raises:
        BridgesError: one breaks the rules.
        LimitExceededError: the hub would have more than a hundred.
        InvalidInputError: a text breaks the rules of a name.
    """
    checked = _checked(bridges)
    if len(checked) + len(held) > MOST_BRIDGES:
        rule = f"a hub has at most {MOST_BRIDGES} bridges, and this one has {len(held)}"
        raise LimitExceededError("bridges", len(checked), rule)
    known = {inputs.name_key(text): text for text in held}
    read = content_words([bridge.text for bridge in checked])
    for bridge, words in zip(checked, read, strict=True):
        _check_words(bridge, words)
        key = inputs.name_key(bridge.text)
        if key in known:
            raise BridgesError("bridges", bridge.text, f"repeats the bridge {known[key]!r}")
        known[key] = bridge.text
    return checked


def shared_word(words: ContentWords, others: ContentWords) -> str | None:
    """The first word that another text has, too, in the language of either; `None` for none."""
    for language in dict.fromkeys((words.language, others.language)):
        theirs = frozenset[str]().union(*stems(others.words, language))
        for word, held in zip(words.words, stems(words.words, language), strict=True):
            if held & theirs:
                return word
    return None


def _checked(bridges: Sequence[Bridge]) -> tuple[Bridge, ...]:
    if isinstance(bridges, str):
        raise InvalidInputError("bridges", bridges, "must be a sequence of bridges, not one text")
    checked = []
    for bridge in bridges:
        if not isinstance(bridge, Bridge):
            raise InvalidInputError("bridges", bridge, "must be a Bridge of a text and its angle")
        if bridge.angle is not None and bridge.angle not in ANGLES:
            rule = f"angle {bridge.angle!r} is none of {', '.join(ANGLES)}"
            raise BridgesError("bridges", bridge.text, rule)
        checked.append(Bridge(inputs.normalise_name(bridge.text, field="bridges"), bridge.angle))
    return tuple(checked)


def _check_words(bridge: Bridge, words: ContentWords) -> None:
    if len(words.words) < FEWEST_WORDS:
        said = f"only {words.words[0]!r}" if words.words else "nothing"
        rule = f"says {said}; a bridge needs {FEWEST_WORDS} words that say something"
        raise BridgesError("bridges", bridge.text, f"{bridge.angle or 'a bridge'} {rule}")
