"""The server as a process: nothing but the protocol on stdout, and no life after its client's."""

import gc
import os
import sys
import threading
from typing import BinaryIO

_POLL_SECONDS = 3.0
_TURN_SECONDS = 0.001
_OBJECTS_OF_A_BURST = 200_000
_OBJECTS_OF_A_PROJECT = 1_000_000


def protocol_streams() -> tuple[BinaryIO, BinaryIO]:
    """The client's pipe, taken away from everybody else: whatever else is printed goes to stderr."""
    protocol = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.stdout = sys.stderr
    return sys.stdin.buffer, protocol


def favour_answers() -> None:
    """Let the thread that speaks with the client have its turn sooner while another one works."""
    sys.setswitchinterval(_TURN_SECONDS)


def collect_seldom() -> None:
    """Reading a project makes millions of objects that stay: looking for garbage at every step finds none."""
    gc.set_threshold(_OBJECTS_OF_A_PROJECT, 20, 20)


def keep_out_of_collections() -> None:
    """Take what is there now for what stays: a collection would walk over all trees of a project, in vain."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_OF_A_BURST, 20, 20)


def collect() -> None:
    """Look for garbage now, while nobody waits, so that it need not be done while somebody does."""
    gc.collect()


def end_with(client: int) -> None:
    """End this process once the client's is gone, even if it left its end of the pipe open to others.

    On Windows a signal cannot ask whether a process lives; there the end of stdin must do.
    """
    if sys.platform != "win32":
        threading.Thread(target=_watch, args=(client,), name="smelt-client-watch", daemon=True).start()


def _watch(client: int) -> None:
    wake = threading.Event()
    while _lives(client):
        wake.wait(_POLL_SECONDS)
    # The main thread sits in a blocking read of stdin, which nothing else interrupts.
    os._exit(1)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
