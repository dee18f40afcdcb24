"""The one exception that carries a sentence meant for the user."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager


class SolwarisError(ValueError):
    """Bad input: the message is one sentence that names what is wrong and where.

    The command line prints it without a traceback and exits with status 2.
    """


@contextmanager
def blamed(words: str) -> Iterator[None]:
    """Tell of any error of another's code in one sentence: `words`, where, and what it was."""
    try:
        yield
    except SolwarisError:
        raise
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        raise SolwarisError(
            f"{words} at {where.filename}:{where.lineno}: {type(error).__name__}: {error}"
        ) from error
