"""A key is created once in a file, whole from the first moment, whoever asks at the same time."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from backgammon import key_files


def test_a_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "var" / "key"
    assert [key_files.read_or_create(path, lambda each=each: each) for each in ("first", "second")] == [
        "first",
        "first",
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["key"]


def test_all_who_create_a_key_at_once_get_the_same_whole_one(tmp_path: Path) -> None:
    together = Barrier(4)

    def ask(number: int) -> str:
        def new_key() -> str:  # all four have seen that there is no file
            together.wait(timeout=60)
            return f"key {number}"

        return key_files.read_or_create(tmp_path / "key", new_key)

    with ThreadPoolExecutor(4) as threads:
        keys = set(threads.map(ask, range(4)))
    assert keys == {(tmp_path / "key").read_text()}
    assert [each.name for each in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize("text", ["", "\n"])
def test_an_empty_file_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(key_files.EmptyKeyFile, match="key is empty: delete it to have a new key made"):
        key_files.read_or_create(tmp_path / "key", lambda: "new")
