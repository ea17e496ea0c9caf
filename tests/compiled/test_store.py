"""The folder of compiled programs: the user's own, whole files only, and nothing else in it touched."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gridarium.compiled.cache import store

KEY, OTHER = "ab" * 20, "cd" * 20


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private folder that does not exist yet."""
    monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "deep" / "programs"))
    return tmp_path / "deep" / "programs"


class TestPlace:
    def test_it_can_be_chosen(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert store.folder() == place
        monkeypatch.setenv("GRIDARIUM_CACHE_DIR", "~/programs")
        assert store.folder() == Path.home() / "programs"
        monkeypatch.setenv("GRIDARIUM_CACHE_DIR", "here")
        assert store.folder() == Path.cwd() / "here"

    def test_otherwise_it_is_the_users_cache(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("GRIDARIUM_CACHE_DIR", raising=False)
        monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
        assert store.folder() == Path("/somewhere/gridarium")
        monkeypatch.delenv("XDG_CACHE_HOME")
        assert store.folder() == Path.home() / ".cache" / "gridarium"

    def test_it_is_made_closed_to_others(self, place: Path) -> None:
        assert store.usable() is None
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
        assert store.usable() is None

    @pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o720])
    def test_one_that_others_can_write_to_is_not_used(self, place: Path, mode: int) -> None:
        place.mkdir(parents=True)
        place.chmod(mode)
        assert store.usable() == f"{place} can be written to by others (chmod 700 it)"

    def test_one_of_somebody_else_is_not_used(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        place.mkdir(parents=True)
        monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
        assert store.usable() == f"{place} belongs to another user"

    def test_one_that_cannot_be_written_to_is_not_used(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        place.mkdir(parents=True, mode=0o500)
        if os.getuid() == 0:  # whom modes do not stop
            monkeypatch.setattr(os, "access", lambda *_: False)
        assert store.usable() == f"{place} cannot be written to"

    def test_one_that_cannot_be_made_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "file").write_text("")
        monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "file" / "programs"))
        assert "cannot be created: " in str(store.usable())
        monkeypatch.setenv("GRIDARIUM_CACHE_DIR", str(tmp_path / "file"))
        assert "cannot be created: " in str(store.usable())
        assert (store.load(KEY), store.contents(), store.clear()) == (None, (0, 0), 0)


class TestPrograms:
    def test_what_is_saved_is_loaded(self, place: Path) -> None:
        assert store.usable() is None
        assert store.load(KEY) is None
        store.save(KEY, b"a program", "its page\n")
        assert store.load(KEY) == b"a program"
        assert (place / f"{KEY}.py").read_text() == "its page\n"
        assert store.load(OTHER) is None
        store.save(KEY, b"", "")
        assert store.load(KEY) == b""

    def test_files_are_closed_to_others(self, place: Path) -> None:
        store.usable()
        store.save(KEY, b"a program", "")
        assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in place.iterdir()} == {0}

    def test_what_is_damaged_is_not_used(self, place: Path) -> None:
        store.usable()
        store.save(KEY, b"a program", "")
        path = place / f"{KEY}.bin"
        whole = path.read_bytes()
        for damaged in (
            *(whole[:n] for n in range(len(whole))),
            whole + b" ",
            b"x" + whole[1:],
            whole[:-1] + b"M",
        ):
            path.write_bytes(damaged)
            assert store.load(KEY) is None, damaged
        path.unlink()
        path.mkdir()
        assert store.load(KEY) is None

    def test_a_program_under_the_name_of_another_is_not_used(self, place: Path) -> None:
        store.usable()
        store.save(KEY, b"a program", "")
        (place / f"{KEY}.bin").rename(place / f"{OTHER}.bin")
        assert store.load(KEY) is None and store.load(OTHER) is None

    def test_what_somebody_else_put_there_is_not_used(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.usable()
        store.save(KEY, b"a program", "")
        monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
        assert store.load(KEY) is None

    def test_nothing_is_left_behind_where_writing_fails(
        self, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        store.usable()

        def full(self: Path, target: Path) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", full)
        with pytest.raises(OSError, match="No space left"):
            store.save(KEY, b"a program", "")
        assert list(place.iterdir()) == []


class TestClearing:
    def test_it_removes_programs_and_nothing_else(self, place: Path) -> None:
        store.usable()
        store.save(KEY, b"a program", "page")
        store.save(OTHER, b"another", "page")
        with store.only_one(KEY):
            pass
        (place / "gridarium-x1_y2.tmp").write_bytes(b"left behind")
        kept = {"rules.py", "notes.lock", "data.bin", "my.tmp", f"{KEY}.txt", f"{KEY[:-1]}.py"}
        for name in kept:
            (place / name).write_text("mine")
        (place / "folder").mkdir()
        count, size = store.contents()
        assert (count, size) == (
            2,
            2 * store.CHECKSUM + len(b"a programanother") + 2 * len("page") + len(b"left behind"),
        )
        assert store.clear() == 2
        assert {path.name for path in place.iterdir()} == {*kept, "folder"}
        assert store.contents() == (0, 0)

    def test_there_may_be_nothing(self, place: Path) -> None:
        assert (store.contents(), store.clear()) == ((0, 0), 0)
        assert not place.exists()


class TestLock:
    def test_another_process_waits(self, place: Path) -> None:
        store.usable()
        text = (
            "import time; from gridarium.compiled.cache import store\n"
            f"with store.only_one({KEY!r}, lambda: print('waiting')): print(time.time())"
        )
        with store.only_one(KEY):
            other = subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True)
            with pytest.raises(subprocess.TimeoutExpired):
                other.wait(1.5)
            with store.only_one(OTHER):
                released = time.time()
        said, printed = other.communicate(timeout=60)[0].split()
        assert said == "waiting"
        assert float(printed) > released

    def test_without_locks_nobody_waits(self, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with store.only_one(KEY):  # the folder does not exist
            pass
        store.usable()
        monkeypatch.setitem(sys.modules, "fcntl", None)
        with store.only_one(KEY), store.only_one(KEY):
            pass

    def test_errors_within_are_not_swallowed(self, place: Path) -> None:
        store.usable()
        for error in (OSError, ImportError, ValueError):
            with pytest.raises(error), store.only_one(KEY, lambda: pytest.fail("nobody else has it")):
                raise error
