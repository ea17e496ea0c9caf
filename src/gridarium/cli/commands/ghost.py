"""`gridarium ghost`: an episode of the ghost world, with the filter's estimate next to the truth."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import click

from gridarium.cli.shared.open_world import begin_interpreted
from gridarium.cli.shared.output_files import check_writable
from gridarium.cli.shared.terminal import waiting
from gridarium.draw import save
from gridarium.draw.motion import window_events
from gridarium.draw.motion.video import VideoWriter, check_format
from gridarium.ghost import AgentInterface, VisionSensor, agents
from gridarium.ghost.agents.base_agent import perceive
from gridarium.ghost.drawing.text import LEGEND, to_text
from gridarium.ghost.plain import PlainRenderer
from gridarium.worlds import DescriptionError

AGENTS = {
    "random": "RandomPlayerAgent",
    "minimax": "MinimaxAgent",
    "expectimax": "ExpectimaxAgent",
    "values": "ValueIterationAgent",
    "q-learning": "QLearningAgent",
}
GHOSTS = {"chase": "ChaseGhostAgent", "random": "RandomGhostAgent", "minimax": "MinimaxAgent"}
TRAINING = 500
"""Episodes that the learning agent plays beforehand."""
MOST_ROUNDS = 500
SHARE = click.FloatRange(0, 1)


@click.command("ghost")
@click.argument("layout", default="teaching-4x5")
@click.option("--agent", "-a", default="values", show_default=True, type=click.Choice(list(AGENTS)))
@click.option("--ghost", "-g", default="chase", show_default=True, type=click.Choice([*GHOSTS, "none"]))
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0))
@click.option("--slip", default=0.2, show_default=True, type=SHARE, help="How likely the agent slips.")
@click.option(
    "--slip-type",
    default="longitudinal",
    show_default=True,
    type=click.Choice(("longitudinal", "perpendicular")),
)
@click.option(
    "--quality", default=0.8, show_default=True, type=SHARE, help="How likely the color sensor is right."
)
@click.option(
    "--vision", type=click.FloatRange(0, 2), metavar="STRENGTH",
    help="Let the agent look at its cell, too, by pictures that are as bad as this: 0 clear, 1 usual, 2 awful.",
)  # fmt: skip
@click.option("--particles", default=200, show_default=True, type=click.IntRange(1, 100_000))
@click.option(
    "--knowledge", default="actual", show_default=True, type=click.Choice(("actual", "estimated")),
    help="Whether the agent goes by where it is, or by where the filter takes it to be.",
)  # fmt: skip
@click.option(
    "--film", "--gif", "film", type=click.Path(path_type=Path, dir_okay=False),
    help="Write a video (.gif, .webp, .mp4), or the last picture (.png).",
)  # fmt: skip
@click.option(
    "--look", default="plain", show_default=True, type=click.Choice(("plain", "original")),
    help="Drawing of windows and of what is saved: the library's own drawing style, or that of CustomGridEnv.",
)  # fmt: skip
@click.option("--window", is_flag=True, help="Show it in a window.")
@click.option("--quiet", "-q", is_flag=True, help="Only the end.")
def ghost(
    layout: str, agent: str, ghost: str, seed: int, slip: float, slip_type: str, quality: float,
    vision: float | None, particles: int, knowledge: str, film: Path | None, look: str, window: bool, quiet: bool,
) -> None:  # fmt: skip
    """Play an episode of the ghost world in LAYOUT, and say in each round what the filter believes.

    LAYOUT is the name of a layout that comes along (teaching-4x5, corridor-1x9, maze-8x10, halls-12x12) or a YAML file.

    In the pictures `A` is the agent, `G` a ghost, `X` both, `?` the filter's estimate, `*` a goal, `r` and `g` colors.
    """
    begin_interpreted()
    interface = _interface(
        layout, window=window, slip_probability=slip, slip_type=slip_type, color_sensor_quality=quality,
        pf_num_particles=particles, use_ghost=ghost != "none", show_particles=True,
        ghost_agent_class=getattr(agents, GHOSTS.get(ghost, "ChaseGhostAgent")),
        vision_sensor=None if vision is None else VisionSensor(strength=vision),
    )  # fmt: skip
    if look == "plain":
        interface.env.renderer = PlainRenderer(interface.env)
    player = getattr(agents, AGENTS[agent])(interface.env.action_space, env=interface.env, seed=seed)
    if agent == "q-learning":
        shown, interface.render_enabled = interface.render_enabled, False
        interface.reset(seed=seed + 1)
        with waiting(f"learning for {TRAINING} episodes"):
            player.learn(interface, TRAINING)
        player.epsilon, interface.render_enabled = 0.0, shown
    pictures = _Pictures(film, interface)
    if not quiet:
        click.echo(f"{LEGEND}\n")
    try:
        with waiting("playing") if quiet else contextlib.nullcontext():
            _play(interface, player, seed, knowledge == "estimated", pictures, quiet)
    finally:
        interface.close()
    pictures.close()


def _interface(layout: str, *, window: bool, **options: Any) -> AgentInterface:
    if window:
        try:
            window_events.pygame()
        except (ImportError, window_events.NoDisplay) as error:
            raise click.ClickException(str(error)) from None
    try:
        mode = "human" if window else "rgb_array"
        return AgentInterface(render=window, render_mode=mode, step_delay=400, layout=layout, **options)
    except (DescriptionError, ValueError) as error:
        raise click.ClickException(str(error)) from error


def _play(
    interface: AgentInterface, player: Any, seed: int, estimated: bool, pictures: _Pictures, quiet: bool
) -> None:
    env, right = interface.env, 0
    observation, done = interface.reset(seed=seed), False
    pictures.take()
    _say(interface, "start", quiet)
    while not done and interface.episode_steps < MOST_ROUNDS:
        if estimated:
            perceive(player, interface.last_info["estimated_pos"]["cell_pos"], observation)
        observation, reward, done, info = interface.step(player.get_action(observation))
        right += info["estimated_pos"]["cell_pos"] == env.agent_pos
        pictures.take()
        actual = info["actual_action"]
        moved = info["intended_action"] + (f" (slipped: {actual})" if info["slipped"] else "")
        _say(interface, f"round {interface.episode_steps}: {moved}, reward {reward:g}", quiet)
    stats = interface.get_episode_stats()
    caught = "caught by a ghost" if stats["caught_by_ghost"] else "time is up"
    end = "goal reached" if stats["reached_goal"] else caught
    rounds = stats["steps"]
    click.echo(
        f"{end} after {rounds} rounds, return {stats['total_reward']:g}; "
        f"the filter was right in {right} of {rounds} rounds"
    )


def _say(interface: AgentInterface, what: str, quiet: bool) -> None:
    if quiet:
        return
    env, info = interface.env, interface.last_info
    guess = info["estimated_pos"]
    row, col = guess["float_pos"]
    click.echo(what)
    click.echo(to_text(env))
    name, share = info.get("cnn_prediction", ("", 0.0))
    click.echo(
        f"agent {tuple(env.agent_pos)}, estimated {tuple(guess['cell_pos'])}, mean ({row:.2f}, {col:.2f}); "
        f"color read: {('none', 'red', 'green')[info['color_measurement']]}"
        f"{f'; seen: {name}, {share:.0%}' if name else ''}\n"
    )


class _Pictures:
    """A video, or the last picture of an episode.

    Raises:
        click.ClickException: an unknown ending, or a library is missing.
    """

    def __init__(self, path: Path | None, interface: AgentInterface) -> None:
        self.path, self.interface = path, interface
        self._last: Any = None
        self._video: VideoWriter | None = None
        if path is not None:
            check_writable(path)
        if path is not None and path.suffix.lower() != ".png":
            try:
                check_format(path, 3)
                self._video = VideoWriter(path, fps=3)
            except (ImportError, ValueError, OSError) as error:
                raise click.ClickException(str(error)) from error

    def take(self) -> None:
        """Add a picture."""
        if self.path is None:
            return
        env, pf = self.interface.env, self.interface.pf
        if pf is not None:
            env.info |= {"particles": pf.get_particles(), "show_particles": True}
        self._last = env.picture()
        if self._video is not None:
            self._video.add(self._last)

    def close(self) -> None:
        """Finish the file."""
        if self.path is None:
            return
        try:
            if self._video is not None:
                self._video.hold_on(1.5)
                self._video.close()
            else:
                save(self.path, self._last)
        except (ImportError, OSError) as error:
            raise click.ClickException(f"{self.path} cannot be written: {error}") from error
        click.echo(f"wrote {self.path}")
