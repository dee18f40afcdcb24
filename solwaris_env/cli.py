"""The `solwaris` command: one parser, whose subcommands are imported only when called."""

import argparse
import difflib
import errno
import importlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import NamedTuple, NoReturn

from .errors import SolwarisError


class Command(NamedTuple):
    """A subcommand: where its `add_arguments` and `run` live, and its line in the help."""

    module: str
    help: str
    shared: bool = False  # the module serves several commands and names them in its functions

    def function(self, module: ModuleType, verb: str, name: str) -> Callable:
        """Return `module`'s function for `verb`, "run" or "add_arguments"."""
        if self.shared:
            verb = f"run_{name}" if verb == "run" else f"add_{name}_arguments"
        return getattr(module, verb)


COMMANDS = {
    "play": Command("solwaris_env.play", "duel an agent in this terminal"),
    "duel": Command("solwaris_env.match", "pit two agents against each other"),
    "evaluate": Command("solwaris_env.evaluation.command", "measure two agents closely", True),
    "tournament": Command("solwaris_env.evaluation.command", "rate several agents", True),
    "serve": Command("solwaris_env.server.command", "serve opponents to other frontends"),
    "watch": Command("solwaris_env.render.watch", "show a replay, or write it as a GIF"),
    "classes": Command("solwaris_env.duel.content.describe", "print the classes' sheets", True),
    "maps": Command("solwaris_env.duel.content.describe", "print the maps", True),
    "train": Command("training.cli", "train a policy by self-play", True),
    "export": Command("training.cli", "write a trained policy as an ONNX file", True),
    "levels": Command("training.cli", "export and rate graded opponents", True),
    "bench": Command("solwaris_env.bench", "measure speed beside the peers installed"),
}
EXAMPLES = """\
first steps:
  solwaris play                              you against the greedy agent
  solwaris classes ombre                     the Ombre's spells and passives
  solwaris maps caveau                       the map, drawn
  solwaris duel greedy random --duels 200    who wins, and how surely
  solwaris COMMAND --help                    what a command can do
"""
EXTRA_OF = {
    "torch": "train",
    "stable_baselines3": "train",
    "sb3_contrib": "train",
    "tensorboard": "train",
    "onnx": "train",
    "rich": "train",
    "tqdm": "train",
    "yaml": "train",
    "PIL": "render",
    "matplotlib": "render",
    "pygame": "render",
    "fastapi": "serve",
    "uvicorn": "serve",
    "pydantic": "serve",
    "prometheus_client": "serve",
    "websockets": "serve",
}
INTERRUPTED = 130
BROKEN_PIPE = 141
FAULT = 2


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a fault in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the fault and where help is, and exit with status 2."""
        self.exit(FAULT, f"solwaris: {message} (see `{self.prog} --help`)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (the process's own by default); return the exit status.

    0 is success, 2 a fault reported in one sentence on standard error, 130 an interruption by
    the keyboard, 141 an output that was closed early.
    """
    _open_streams()
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return status
    except SolwarisError as error:
        return _complain(str(error))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRA_OF:
            raise
        extra = EXTRA_OF[package]
        return _complain(
            f"this needs the package {package}, which is not installed: "
            f"pip install 'solwaris[{extra}]'"
        )
    except KeyboardInterrupt:
        print("\nsolwaris: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output once more when it ends; nobody listens any longer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EIO, errno.EBADF):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"cannot write the output: {error.strerror}")


def _open_streams() -> None:
    """Let closed streams read and write nothing, and poor terminals show `?` for a letter."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def version() -> str:
    """Return the installed version of the package."""
    try:
        return importlib.metadata.version("solwaris")
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def _run(argv: list[str]) -> int:
    parser = Parser(
        prog="solwaris",
        description="The duel of Solwaris: play it, pit agents, train them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"solwaris {version()}")
    subparsers = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    name = next((argument for argument in argv if not argument.startswith("-")), None)
    if name is not None and name not in COMMANDS:
        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(COMMANDS)}"
        raise SolwarisError(f"unknown command {name!r}, {hint}")
    module = importlib.import_module(COMMANDS[name].module) if name else None
    for command, entry in COMMANDS.items():
        subparser = subparsers.add_parser(
            command,
            help=entry.help,
            description=entry.help[0].upper() + entry.help[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command == name:
            entry.function(module, "add_arguments", name)(subparser)
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    if module is None:
        parser.print_help()
        return 0
    return COMMANDS[name].function(module, "run", name)(arguments)


def _complain(sentence: str) -> int:
    """Print a fault's sentence on one line; return its exit status."""
    print("solwaris:", " ".join(sentence.split()), file=sys.stderr)
    return FAULT


if __name__ == "__main__":
    sys.exit(main())
