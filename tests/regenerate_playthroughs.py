"""Write the golden playthroughs anew: `python -m tests.regenerate_playthroughs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from golden import FOLDER, PLAYTHROUGHS, playthrough


def main() -> None:
    """Play every duel and write it down, whole or not at all."""
    from solwaris_env.files import write_atomic

    FOLDER.mkdir(exist_ok=True)
    for name in PLAYTHROUGHS:
        path = FOLDER / f"{name}.txt"
        write_atomic(path, playthrough(name))
        print(f"{path.name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
