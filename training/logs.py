"""Where a run's figures go: TensorBoard, and one JSON object a line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

METRICS = "metrics.jsonl"


class JsonLines(KVWriter):
    """Appends the figures of each update to a file, so a resumed run goes on in it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, Any], step: int = 0
    ) -> None:
        """Append one line: `step` (decisions so far), and every figure by its name."""
        figures = {
            key: value.item() if isinstance(value, np.generic) else value
            for key, value in sorted(key_values.items())
            if isinstance(value, int | float | str | np.generic)
        }
        self._file.write(json.dumps({"step": step, **figures}) + "\n")
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def run_logger(folder: Path) -> Logger:
    """Return the logger of the run in `folder`."""
    return Logger(str(folder), [TensorBoardOutputFormat(str(folder)), JsonLines(folder / METRICS)])
