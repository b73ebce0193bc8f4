"""The exceptions that cardgen raises. The command line alone turns them into messages and exit codes."""


class CardgenError(Exception):
    """Base of every error that a user's input, files or machine can cause."""


class UnitError(CardgenError, ValueError):
    """A length that cannot be read: no unit, an unknown unit, not a number."""


class DoesNotFit(CardgenError):
    """Pieces that cannot be placed on the paper; the message names the largest grid that can."""


class FileProblem(CardgenError):
    """A file that may not be read or cannot be written: outside the project, too large, absent, not text."""


class EngineMissing(CardgenError):
    """A layout engine that is not installed; the message carries the remedy."""


class WorkerDied(CardgenError):
    """A worker process that ended before its work was done."""


class UsageError(CardgenError):
    """A wrong command, option or target: exit code 2."""


class PictureProblem(FileProblem):
    """A picture that cannot be drawn: not an image, truncated, too large, or leading out of its file."""


class CannotMake(CardgenError):
    """A component whose options do not go together; `path` is the option that the message is about."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem)
        self.path = path
