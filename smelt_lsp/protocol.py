"""Answers to requests that pygls drops: a client that waits for one would wait for ever."""

from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol


class Protocol(LanguageServerProtocol):
    """The protocol, with an answer to each request.

    pygls answers neither a request whose parameters it cannot read, such as a position of −1, nor one that comes
    after ``shutdown``.
    """

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message that JSON stands for; None for a request that was answered, as it cannot be read."""
        try:
            return super().structure_message(data)
        except JsonRpcException as fault:
            if "id" not in data or "method" not in data:
                raise
            self._send_response(data["id"], error=fault.to_response_error())
            return None

    def handle_message(self, message: Any) -> None:
        """Hand a message to its handler."""
        if message is None:
            return
        number, method = getattr(message, "id", None), getattr(message, "method", None)
        if self._shutdown and number is not None and method is not None:
            late = JsonRpcInvalidRequest(f"{method} came after shutdown")
            self._send_response(number, error=late.to_response_error())
            return
        super().handle_message(message)
