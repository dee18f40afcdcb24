"""The one exception that carries a sentence meant for the user."""


class SolwarisError(ValueError):
    """Bad input: the message is one sentence that names what is wrong and where.

    The command line prints it without a traceback and exits with status 2.
    """
