"""The program ``smelt-lsp``."""

import argparse
import gc
import logging
import sys
from collections.abc import Sequence

from smelt.version import VERSION

LOG_LEVELS = ("debug", "info", "warning", "error")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the language server on stdin and stdout until its client ends it or is gone.

    Returns:
        0 if the client shut the server down before it left, else 1.
    """
    parser = argparse.ArgumentParser(prog="smelt-lsp", description="The language server of smelt, on stdin and stdout.")
    parser.add_argument("--stdio", action="store_true", help="speak on stdin and stdout; the only way, and the default")
    parser.add_argument("--clientProcessId", help=argparse.SUPPRESS)  # some clients add it; `initialize` says it too
    parser.add_argument("--version", action="version", version=VERSION)
    parser.add_argument("--log-level", default="warning", choices=LOG_LEVELS, help="on stderr")
    given = parser.parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=given.log_level.upper(), format="%(levelname)s %(name)s: %(message)s")

    # Everything below is heavy, and `--version` needs none of it. What it makes stays: no collection finds anything.
    gc.disable()
    from smelt_lsp.compiled import kept_compiled

    with kept_compiled():
        import lsprotocol.types  # noqa: F401
    from smelt.editor.session import Workspace
    from smelt_lsp.process import collect_seldom, favour_answers, protocol_streams
    from smelt_lsp.server import SmeltServer

    favour_answers()
    incoming, outgoing = protocol_streams()
    server = SmeltServer(VERSION, Workspace())
    gc.freeze()
    gc.enable()
    collect_seldom()
    server.start_io(incoming, outgoing)
    return 0 if server.ended_in_order else 1


if __name__ == "__main__":
    sys.exit(main())
