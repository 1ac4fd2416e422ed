"""What becomes of a try is told to whoever watches, on so many pages and no more."""

import asyncio
from collections.abc import AsyncIterator

from autograder.serve.live import MAX_STREAMS, Board
from tests.serve.houses import School


async def first_of(events: AsyncIterator[str]) -> str:
    return await anext(events, "")


def test_nobody_watches_more_pages_by_asking_for_all_at_once(school: School) -> None:
    found = school.keep()

    async def watch() -> list[str]:
        board = Board(school.house.line)
        asked = [board.events(found.number, "ada") for _ in range(MAX_STREAMS + 5)]
        told = await asyncio.gather(*map(first_of, asked))
        assert not board.has_room("ada")
        assert await first_of(board.events(found.number, "bob"))
        return told

    told = asyncio.run(watch())
    assert len([each for each in told if each]) == MAX_STREAMS
