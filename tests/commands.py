"""Commands as a user types them, in this process."""

import pytest

from solwaris_env import cli


def refused(argv: list[str], capsys: pytest.CaptureFixture) -> str:
    """What a command that is refused tells: one line on standard error and nothing else."""
    assert cli.main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("solwaris: ") and err.count("\n") == 1
    return err
