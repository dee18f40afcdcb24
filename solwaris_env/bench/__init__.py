"""`solwaris bench`: how fast the duel is, beside the peers that happen to be installed."""

from .command import add_arguments, run

__all__ = ["add_arguments", "run"]
