"""Makes one virtual environment per peer, with `python -m venv` and pip only.

    python benchmarks/peers/install.py [--into .peers] [peer ...]

Peers are independent: one that fails is reported, its log is kept as `<peer>.log`, and the others go on.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Run = Callable[..., None]

ROOT = Path(__file__).resolve().parents[2]
PUFFER = "3.0.0"
OCEAN = ("grid", "rware")
RAYLIB = "raylib-5.5_linux_amd64"
FLAGS = ("-O2", "-flto", "-fwrapv", "-fPIC", "-shared", "-DNDEBUG", "-DPLATFORM_DESKTOP", "-w")
LAYOUT = "import sysconfig as s; print(s.get_path('include'), s.get_config_var('EXT_SUFFIX'), sep=chr(10))"


class Unavailable(Exception):
    """This machine lacks something the peer needs."""


@dataclass(frozen=True)
class Peer:
    packages: tuple[str, ...]
    imports: str
    python: tuple[int, int] = (3, 11)
    build: Callable[[Path, Run], None] | None = None


def build_puffer(venv: Path, run: Run) -> None:
    """Compiles these worlds of Ocean alone, from the pinned source package, with upstream's own flags.

    The package's setup wants torch, and a network beyond the package index, before it says its name. So
    pip is asked for the source, its metadata step fails as expected, and the source tree it leaves is used.
    """
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise Unavailable("its source package carries a raylib for x86-64 Linux only")
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise Unavailable("no C compiler")
    pip = [venv / "bin/python", "-m", "pip", "download", "--no-clean", "--no-deps", "--no-build-isolation"]
    with tempfile.TemporaryDirectory() as scratch:
        wanted = ["--no-binary", ":all:", "--dest", scratch, f"pufferlib=={PUFFER}"]
        run(*pip, *wanted, env={**os.environ, "TMPDIR": scratch}, check=False)
        ocean = next(Path(scratch).glob("**/pufferlib/ocean"), None)
        if ocean is None:
            raise Unavailable("pip left no source tree")
        raylib, site = ocean.parents[1] / RAYLIB, next((venv / "lib").glob("python3*/site-packages"))
        package = site / "puffer_ocean"
        package.mkdir(exist_ok=True)
        (package / "__init__.py").write_text(f'VERSION = "{PUFFER}"\n')
        asked = [venv / "bin/python", "-c", LAYOUT]
        headers, suffix = subprocess.check_output(asked, text=True).splitlines()
        search = [f"-I{folder}" for folder in (headers, site / "numpy/core/include", raylib / "include")]
        libraries = [raylib / "lib/libraylib.a", "-lm", "-lpthread", "-ldl"]
        for name in OCEAN:
            (package / name).mkdir(exist_ok=True)
            output = package / name / f"binding{suffix}"
            run(compiler, *FLAGS, *search, ocean / name / "binding.c", *libraries, "-o", output)


PEERS = {
    "minigrid": Peer(("minigrid==3.2.0", "gymnasium==1.4.0", "numpy==2.4.6"), "minigrid"),
    "multigrid": Peer(
        ("multigrid==0.1.0", "gymnasium==1.4.0", "numba==0.68.1", "numpy==2.4.6"), "multigrid.envs"
    ),
    "envpool": Peer(("envpool==1.2.5", "gymnasium==1.4.0", "numpy==2.4.6"), "envpool"),
    "puffer": Peer(
        ("numpy==1.26.4", "setuptools==80.9.0", "wheel"),
        ", ".join(f"puffer_ocean.{name}.binding" for name in OCEAN),
        build=build_puffer,
    ),
    "xland": Peer(("xminigrid==0.9.3", "jax==0.10.2", "numpy==2.4.6"), "xminigrid"),
    "open_spiel": Peer(("open_spiel==2.0.2",), "pyspiel"),
    "lbforaging": Peer(("lbforaging==2.0.0", "gymnasium==1.4.0", "numpy==2.4.6"), "lbforaging"),
    "overcooked": Peer(
        ("overcooked-ai==1.1.0", "numpy==1.26.4", "scipy==1.15.3", "setuptools==80.9.0"), "overcooked_ai_py"
    ),
    "pursuit": Peer(
        ("pettingzoo[sisl]==1.27.0", "gymnasium==1.4.0", "numpy==2.4.6", "scipy==1.17.1"),
        "pettingzoo.sisl.pursuit.pursuit",
    ),
    "rware": Peer(("rware==2.0.0", "gymnasium==1.4.0", "numpy==2.4.6", "networkx==3.6.1"), "rware"),
    "jaxmarl": Peer(("jaxmarl==0.2.0", "jax==0.10.2", "numpy==2.4.6"), "jaxmarl.environments.overcooked"),
    "jumanji": Peer(("jumanji==1.1.2", "jax==0.10.2", "numpy==2.4.6"), "jumanji"),
    "pgx": Peer(("pgx==2.6.0", "jax==0.10.2", "numpy==2.4.6"), "pgx"),
    "navix": Peer(("navix==4.0.0", "jax==0.12.0.1", "numpy==2.5.5"), "navix", python=(3, 12)),
}


def interpreters() -> Iterator[str]:
    """Candidate interpreters, this one first."""
    yield sys.executable
    for minor in range(11, 15):
        if found := shutil.which(f"python3.{minor}"):
            yield found
        yield from map(str, sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python3.{minor}")))


def interpreter(minimum: tuple[int, int]) -> str:
    """The first candidate that runs and is new enough."""
    for candidate in interpreters():
        asked = [candidate, "-c", f"import sys; sys.exit(sys.version_info < {minimum})"]
        if subprocess.run(asked, check=False, capture_output=True).returncode == 0:
            return candidate
    raise Unavailable(f"needs Python {'.'.join(map(str, minimum))}, which was not found")


def install(name: str, into: Path) -> str:
    """Installs one peer and says how that went."""
    peer, venv, log = PEERS[name], into / name, into / f"{name}.log"
    ready, contents = venv / "ready", f"{peer.packages} {peer.imports}"
    if ready.exists() and ready.read_text() == contents:
        return "ready already"
    with log.open("w") as stream:

        def run(*command: object, env: dict[str, str] | None = None, check: bool = True) -> None:
            subprocess.run(
                list(map(str, command)), stdout=stream, stderr=subprocess.STDOUT, env=env, check=check
            )

        try:
            run(interpreter(peer.python), "-m", "venv", "--clear", venv)
            run(venv / "bin/python", "-m", "pip", "install", *peer.packages)
            if peer.build:
                peer.build(venv, run)
            run(venv / "bin/python", "-c", f"import {peer.imports}")
        except Unavailable as reason:
            return f"skipped: {reason}"
        except subprocess.CalledProcessError:
            return f"failed: {reason_in(log)}"
    ready.write_text(contents)
    return "ready"


def reason_in(log: Path) -> str:
    """The last line of a log that names an error, or its last line."""
    lines = log.read_text().splitlines()
    named = [line for line in lines if re.search(r"\bERROR|Error\b|error:", line)]
    return (named or lines or ["no output"])[-1].strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, default=ROOT / ".peers", help="folder of the environments")
    parser.add_argument("peers", nargs="*", default=list(PEERS), metavar="peer", help=", ".join(PEERS))
    options = parser.parse_args()
    if unknown := set(options.peers) - set(PEERS):
        parser.error(f"unknown peer: {', '.join(sorted(unknown))}")
    into = options.into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    (into / ".gitignore").write_text("*\n")
    outcomes = {}
    for name in options.peers:
        outcomes[name] = install(name, into)
        print(f"{name}: {outcomes[name]}", flush=True)
    sys.exit(any(outcome.startswith("failed") for outcome in outcomes.values()))


if __name__ == "__main__":
    main()
