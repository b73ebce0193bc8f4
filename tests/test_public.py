"""What `import cardgen` offers stays what it is, whatever has been imported before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    "before", ["", "import cardgen.load.project", "from cardgen.load import shapes", "import cardgen.pipeline.build"]
)
def test_load_is_the_function_at_every_call(root: Path, before: str) -> None:
    # A package of the same name lies below, and importing it must not take the function's place.
    code = f"{before}\nimport cardgen\nfor _ in range(2):\n    assert cardgen.load({str(root)!r})[0] is not None\n"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
