"""One server for the tests that need nothing special of it."""

from collections.abc import Iterator

import pytest
from serving import Served, serving


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """A server with the built-in opponents and the first policy."""
    with serving(own={"first": "checkpoints/first.onnx"}) as running:
        yield running
