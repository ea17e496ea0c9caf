"""Draws programs with hypothesis, has them tried in another process, and keeps what differs, shrunk."""

from __future__ import annotations

import json
import multiprocessing
import os
import select
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.compiled.fuzz.programs import Program, programs
from tests.compiled.fuzz.trial import Trial

PATIENCE = 300.0
"""Seconds after which a program is taken to hang."""
RENEWED = 400
"""Programs after which the process is replaced: what has been compiled stays in its memory."""
AT_ONCE = 60
"""Programs drawn from one seed: hypothesis makes many of them alike."""
BAD = ("differs", "crashed", "hung", "broken")


class Trier:
    """Another process that tries programs; started anew where one ends it."""

    def __init__(self) -> None:
        self.cache = tempfile.TemporaryDirectory()
        self.process: subprocess.Popen[str] | None = None
        self.asked = 0

    def __enter__(self) -> Trier:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self.cache.cleanup()

    def ask(self, text: str) -> Trial:
        """What comes of a program; the verdict may also be 'crashed', 'hung' or 'broken' (an error of no rule)."""
        if self.asked >= RENEWED:
            self.stop()
        if self.process is None:
            self._start()
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.asked += 1
        self.process.stdin.write(json.dumps(text) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], PATIENCE)[0]:
            self.stop()
            return Trial("hung", f"no answer in {PATIENCE:.0f} s")
        if line := self.process.stdout.readline():
            return Trial(**json.loads(line))
        code = self.process.wait()
        self.stop()
        self.errors.seek(0)
        told = self.errors.read()[-2000:]
        return Trial("crashed" if code < 0 else "broken", f"the process ended with {code}\n{told}")

    def _start(self) -> None:
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed when the process is stopped)
        self.process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "tests.compiled.fuzz.serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            env={**os.environ, "GRIDARIUM_CACHE_DIR": self.cache.name},
        )
        self.asked = 0

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.errors.close()
        self.process = None


class Found(Exception):
    """A program that does not give the same bytes; hypothesis shrinks it."""


class Enough(BaseException):
    """The time is up; hypothesis lets it pass."""


class Search:
    """Tries programs and counts what came of them.

    Args:
        trier: tries them.
        without: features that are left out.
        patience: for how many seconds a finding is shrunk.

    Attributes:
        counts: programs by verdict, and cases.
        finding: the smallest program that was found to be bad, with what came of it.
        known: features of what has been found before; what has all of these and is bad is counted, but not shrunk.
        refusals: why programs were refused, and how often.
    """

    def __init__(self, trier: Trier, without: frozenset[str] = frozenset(), patience: float = 60.0) -> None:
        self.trier, self.without, self.patience = trier, without, patience
        self.counts, self.refusals = Counter[str](), Counter[str]()
        self.finding: tuple[Program, Trial] | None = None
        self.known: set[frozenset[str]] = set()
        self._tried: dict[str, Trial] = {}
        self._since = 0.0

    def run(self, number: int, most: int, until: Callable[[], bool] = lambda: False) -> None:
        """Draw programs from a seed, at most so many, until something is found."""
        self.finding = None
        self._tried.clear()

        @seed(number)
        @settings(
            max_examples=most,
            deadline=None,
            database=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            report_multiple_bugs=False,
            print_blob=False,
        )
        @given(programs(self.without))
        def each(program: Program) -> None:
            if self.finding is None and until():
                raise Enough
            trial = self._tried.get(program.text)
            if trial is None:
                if self.finding is not None and time.monotonic() - self._since > self.patience:
                    raise Enough
                trial = self._tried[program.text] = self.trier.ask(program.text)
                if self.finding is None:
                    self._count(trial)
            if trial.verdict in BAD and not any(known <= {*program.features} for known in self.known):
                if self.finding is None:
                    self._since = time.monotonic()
                if self.finding is None or len(program.text) <= len(self.finding[0].text):
                    self.finding = program, trial
                raise Found

        try:
            each()
        except (Found, Enough):
            pass
        except Exception:  # hypothesis finds fault with what differs from one time to the next
            if self.finding is None:
                raise

    def _count(self, trial: Trial) -> None:
        self.counts["programs"] += 1
        self.counts[trial.verdict] += 1
        for name in ("cases", "raised", "again"):
            self.counts[name] += getattr(trial, name)
        if trial.verdict == "refused":
            self.refusals[reason_of(trial.detail)] += 1

    @property
    def compiled(self) -> float:
        """The share of programs that were compiled."""
        return 1 - self.counts["refused"] / max(1, self.counts["programs"])


def reason_of(detail: str) -> str:
    """A refusal without the places."""
    return detail.strip().splitlines()[-1].split("): ")[-1][:110]


def save(program: Program, trial: Trial, folder: Path) -> Path:
    """Keep a program as a file, with what came of it in front."""
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    while (path := folder / f"found_{os.getpid()}_{number}.py").exists():
        number += 1
    told = f"It {trial.verdict}: {trial.detail}\nFeatures: {' '.join(program.features)}"
    remark = "\n".join(f"# {line}"[:110].rstrip() for line in told.splitlines())
    path.write_text(f"{remark}\n\n{program.text}")
    return path


def work(worker: int, options: Any, without: frozenset[str], reports: Any) -> None:
    """Try programs until the time or the number of cases is reached; report after each seed."""
    end = time.monotonic() + 60 * options.minutes
    cases, number = 0, options.seed + worker
    with Trier() as trier:
        search = Search(trier, without)

        def over() -> bool:
            tried = cases + search.counts["cases"]
            parent = multiprocessing.parent_process()
            alone = parent is not None and not parent.is_alive()
            return alone or time.monotonic() > end or tried >= options.cases / options.workers

        while not over():
            search.run(number, AT_ONCE, over)
            number += options.workers
            cases += search.counts["cases"]
            found = None
            if search.finding is not None:
                program, trial = search.finding
                search.known.add(frozenset(program.features))
                path = save(program, trial, Path(options.out))
                found = str(path), " ".join(program.features), trial.verdict, path.read_text()
            reports.put((dict(search.counts), dict(search.refusals), found))
            search.counts.clear()
            search.refusals.clear()
    reports.put((None, {}, None))
