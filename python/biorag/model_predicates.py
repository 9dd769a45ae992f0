"""Statements: who does what to what, where and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["subject", "action", "object", "context"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """One statement that a memory makes.

    Attributes:
        subject: Who or what; empty where nobody is named.
        action: What is done, as a verb.
        object: What it is done to, or what the subject is.
        context: Where, when, how.
    """

    action: str
    subject: str = ""
    object: str = ""
    context: str = ""
