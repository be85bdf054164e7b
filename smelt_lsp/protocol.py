"""What pygls leaves undone: answers to requests that it drops, and peace where a client errs."""

import logging
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.language_server import lsp_method

log = logging.getLogger(__name__)


class RequestFailed(JsonRpcException):
    """A request that is right but cannot be granted; the message is shown to the user."""

    CODE = types.LSPErrorCodes.RequestFailed
    MESSAGE = "the request cannot be granted"


class Protocol(LanguageServerProtocol):
    """The protocol, with an answer to each request and none to anything else.

    pygls answers neither a request whose parameters it cannot read, such as a position of −1, nor one that comes
    after ``shutdown``: a client that waits for an answer would wait for ever. But it shows its user what it cannot
    read of notifications, and its own ``KeyError`` for a document that was never opened.
    """

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message that JSON stands for; None for one that cannot be read, which is answered if it is a request."""
        try:
            return super().structure_message(data)
        except JsonRpcException as fault:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=fault.to_response_error())
            else:
                log.warning("%s cannot be read, and is ignored", data.get("method", "an answer"))
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

    def _execute_handler(self, msg_id: Any, *rest: Any, **named: Any) -> None:
        """Run a handler. pygls would keep what became of each notification for as long as the server lives."""
        super()._execute_handler(msg_id, *rest, **named)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        """Cancel a request. One that is answered is none any more: the client could not know, and nobody errs."""
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        """Answer a request. One that is not granted is no fault of the server: its log has nothing to tell of it."""
        refused = future.exception() if not future.cancelled() else None
        if isinstance(refused, RequestFailed):
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=refused.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Iterator[Any]:
        """Hand a change on. pygls would first make it in a copy of its own, which it may not have, and nobody reads."""
        handler = self.fm.features.get(types.TEXT_DOCUMENT_DID_CHANGE)
        if handler is not None:
            yield handler, (params,), None
