"""The page about the protocol says what the classes of the messages say."""

import pytest

pytest.importorskip("starlette", reason="the browser viewer needs gridarium[web]")

from docs.make_live_protocol import PAGE, page
from gridarium.view.live_server import protocol


def test_the_page_is_that_of_the_messages() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m docs.make_live_protocol"


def test_it_has_every_message() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for model in (*protocol.SENDERS, *protocol.SENT):
        kind = model.model_fields["type"].annotation.__args__[0]
        assert f"### `{kind}`\n" in text
