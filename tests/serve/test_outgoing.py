"""What is asked of a platform comes back as it was sent, and takes only so much room."""

import asyncio
import gzip
import json

import httpx

from autograder.serve.outgoing import Outgoing


def test_no_compressed_answer_is_asked_for() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        body, headers = json.dumps({"keys": []}).encode(), {}
        if "gzip" in request.headers["accept-encoding"]:
            body, headers = gzip.compress(body), {"content-encoding": "gzip"}
        return httpx.Response(200, stream=httpx.ByteStream(body), headers=headers)

    outgoing = Outgoing(transport=httpx.MockTransport(answer))
    found = asyncio.run(outgoing.ask("GET", "https://platform.example/keys"))
    assert found.object() == {"keys": []}
