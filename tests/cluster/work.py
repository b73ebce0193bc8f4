"""What the tests have workers do: importable, as everything that travels must be."""

from __future__ import annotations

import os
import time


def double(number: int) -> int:
    return number * 2


def slow_pid(number: int) -> int:
    time.sleep(0.5)
    return os.getpid()


def end_process(number: int) -> int:
    os._exit(9)


def add(number: int, shared: int) -> int:
    return number + shared


def divide_one_by(number: int) -> int:
    return 1 // number
