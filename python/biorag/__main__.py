"""`python -m biorag`, and the console command of the same name."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the verb on the command line and exit with its code."""
    if sys.argv[1:2] == ["serve"]:
        # An MCP client waits for the handshake: the command line's libraries stay out of its way.
        from biorag.service.serve import serve

        sys.exit(serve(sys.argv[2:]))
    # Likewise, `serve` must not pay for this import.
    from biorag.service.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
