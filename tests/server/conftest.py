"""One server for the tests that need nothing special of it, and one copy of the page's tools."""

from collections.abc import Iterator

import pytest
from serving import Served, serving
from workshop import Workshop


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """A server with the built-in opponents and the first policy."""
    with serving(own={"first": "checkpoints/first.onnx"}) as running:
        yield running


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The page's sources with the packages that build them."""
    return Workshop(tmp_path_factory.mktemp("workshop"))
