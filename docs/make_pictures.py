"""Makes the pictures in docs/pictures: `python -m docs.make_pictures [NAME ...]`, all of them without a name.

Pictures of pages need Chromium, chromedriver and selenium; that of the dashboard also needs npm, which loads the widgets'
JavaScript. Pictures whose programs are missing are skipped with a message. `gridarium gallery docs/pictures/gallery
--page docs/gallery.md --sheets docs/worlds` writes the gallery.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gridarium import World, draw
from gridarium.agents import TabularModel, arrows_by_position, value_iteration, values_by_position
from gridarium.cli import main
from gridarium.view.play.controller import PlayController
from gridarium.view.play.keyboard import Keyboard
from gridarium.view.play.session import PlaySession
from gridarium.view.play.window import PlayWindow
from tests.view.browser import CHROMIUM, DRIVER, Browser

PICTURES = Path(__file__).parent / "pictures"
EXAMPLE = PICTURES.parent.parent / "examples" / "own_world.py"
WIDGETS = ("@jupyter-widgets/html-manager@1.0.14", "font-awesome@4.7.0")


class Missing(Exception):
    """A program that a picture needs is not installed."""


def gridarium(*arguments: object) -> None:
    """Run the command line."""
    main([str(argument) for argument in arguments], standalone_mode=False)


def episode(path: Path) -> None:
    """An episode as a GIF."""
    gridarium("run", "KeyDoor-9x9", "-p", "scripted", "-n", 1, "--seed", 7, "--gif", path)


def thin_ice(path: Path) -> None:
    """An episode of an example as a GIF."""
    gridarium("run", EXAMPLE, "-p", f"{EXAMPLE}:hurried", "-n", 1, "--seed", 1, "--tile", 40, "--gif", path)


def values(path: Path) -> None:
    """Values and policy of the 4 x 3 world, as in docs/agents.md."""
    world = World("FourByThree")
    state, solution = world.reset(seed=0), value_iteration(TabularModel.extract(world), discount=1.0)
    overlays = [
        draw.Heat(values_by_position(solution, world, state)),
        draw.Arrows(arrows_by_position(solution, world, state)),
    ]
    draw.save(path, draw.svg(state, tile=64, overlays=overlays))


def vision_sheet(path: Path) -> None:
    """Pictures of cells at several strengths."""
    gridarium("vision", "show", path)


def vision_calibration(path: Path) -> None:
    """Reliability diagrams of the classifier."""
    strengths = [part for strength in (0.5, 1.0, 1.5, 2.0) for part in ("-s", strength)]
    gridarium("vision", "evaluate", *strengths, "--pictures", 20000, "--plot", path)


def playing(path: Path) -> None:
    """The window of a game for two people."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    world = World("TwoAgents-DoorKey-8x8", compiled=False)
    game = PlayController(PlaySession(world, people=2), Keyboard(world, ("arrows", "wasd")))
    for key in ("left", "a", "up", "d", "left", "d", "up"):
        game.press(key)
    window = PlayWindow(game, tile=80).window
    draw.save(path, window.pixels())
    window.close()


def replay(path: Path) -> None:
    """The page of a replay."""
    with browser() as (chromium, folder):
        run, page = folder / "keydoor.run", folder / "keydoor.html"
        gridarium("run", "KeyDoor-9x9", "-p", "scripted", "-n", 2, "--save", run)
        gridarium("replay", run, "--html", page)
        chromium.look(width=1280, height=720)
        chromium.open(page.as_uri())
        chromium.press("HOME", *["ARROW_RIGHT"] * 9)
        chromium.driver.save_screenshot(str(path))


def dashboard(path: Path) -> None:
    """The dashboard after some rounds."""
    with browser() as (chromium, folder):
        from ipywidgets.embed import embed_snippet

        from gridarium.ghost.dashboard import Dashboard
        from gridarium.ghost.dashboard.view import TASK, DashboardView

        if shutil.which("npm") is None:
            raise Missing("npm")
        install = ("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *WIDGETS)
        subprocess.run(install, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        shown = Dashboard(seed=7, agent="q-learning", use_ghost=False, sensors="both", show_values=True)
        shown.train()
        shown.plan(TASK)
        for _ in range(18):
            shown.tick()
        modules = folder / "node_modules"
        script = (modules / "@jupyter-widgets" / "html-manager" / "dist" / "embed.js").as_uri()
        style = (modules / "font-awesome" / "css" / "font-awesome.css").as_uri()
        widgets = embed_snippet([DashboardView(shown).root], requirejs=False, embed_url=script, cors=False)
        page = folder / "dashboard.html"
        head = f'<meta charset="utf-8"/><link rel="stylesheet" href="{style}"/>'
        page.write_text(f'{head}<body style="font: 13px sans-serif">{widgets}</body>', encoding="utf-8")
        chromium.look(width=1480, height=940)
        chromium.open(page.as_uri())
        chromium.wait("document.querySelector('.jupyter-widgets img')?.complete")
        chromium.driver.save_screenshot(str(path))


def live_bw4t(path: Path) -> None:
    """The experimenter's page of BW4T, after a while."""
    import uvicorn

    from gridarium.live.worlds import bw4t
    from gridarium.view.live_server.app import application
    from gridarium.view.live_server.session import LiveSession
    from gridarium.view.web.serving import listening

    with browser() as (chromium, _):
        world = bw4t().get_world(compiled=False)
        for _ in range(120):
            world.step()
        session = LiveSession(world, name="bw4t")
        served = listening("127.0.0.1", 0)
        server = uvicorn.Server(
            uvicorn.Config(application(session), log_level="warning", ws="websockets-sansio")
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [served]}, daemon=True)
        thread.start()
        try:
            chromium.look(width=1280, height=600)
            chromium.open(f"http://127.0.0.1:{served.getsockname()[1]}{session.links.experimenter.path}")
            chromium.wait("page.stage && page.stage.objects.has('human_1')")
            chromium.driver.save_screenshot(str(path))
        finally:
            server.should_exit = True
            thread.join(10)


@contextmanager
def browser() -> Iterator[tuple[Browser, Path]]:
    """Chromium, and an empty folder for pages.

    Raises:
        Missing: it is not installed.
    """
    if CHROMIUM is None or DRIVER is None:
        raise Missing("Chromium and chromedriver")
    with tempfile.TemporaryDirectory() as folder:
        chromium = Browser(Path(folder) / "profile")
        try:
            yield chromium, Path(folder)
        finally:
            chromium.driver.quit()


MADE: dict[str, Callable[[Path], None]] = {
    "keydoor.gif": episode,
    "thin-ice.gif": thin_ice,
    "four-by-three.svg": values,
    "vision-sheet.png": vision_sheet,
    "vision-calibration.png": vision_calibration,
    "playing.png": playing,
    "replay.png": replay,
    "live-bw4t.png": live_bw4t,
    "dashboard.png": dashboard,
}


def make(names: list[str]) -> None:
    """Make pictures by their names; all without names."""
    for name in names or MADE:
        try:
            MADE[name](PICTURES / name)
        except (ImportError, Missing) as error:
            print(f"{name} is left as it is: {error} is missing", file=sys.stderr)


if __name__ == "__main__":
    make(sys.argv[1:])
