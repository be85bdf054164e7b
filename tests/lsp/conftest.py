"""What all conversations share."""

import pytest

from tests.lsp.conversation import Client, Conversation


@pytest.fixture
def talk(client: Client) -> Conversation:
    assert client.talk is not None
    return client.talk
