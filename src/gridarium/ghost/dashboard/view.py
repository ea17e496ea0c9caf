"""The widgets of a dashboard, for notebooks. Needs `gridarium[notebook]`."""

from __future__ import annotations

import asyncio
import functools
import html
import io
import traceback
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

try:
    import ipywidgets as widgets
except ImportError:
    raise ImportError("the dashboard's widgets need ipywidgets; install gridarium[notebook]") from None

from gridarium.draw.notebook import image
from gridarium.ghost.dashboard.controls import LAYOUT_GOALS, SECTIONS, Control, controls
from gridarium.ghost.dashboard.settings import AGENTS, name_of

ARROWS = (("←", 0, "left"), ("↓", 1, "down"), ("→", 2, "right"), ("↑", 3, "up"))
TASK = "the piano, then the dog with rock music, then Goal"
WIDE, LABEL = "300px", "100px"
STYLE = (
    "<style>.gridarium-row {display: flex} .gridarium-row figure {flex: 1; margin: 0 8px 4px 0; line-height: 1.3}"
    " .gridarium-row img {width: 100%}</style>"
)


class DashboardView:
    """The widgets of a dashboard.

    Args:
        dashboard: a `Dashboard`.
        hidden: settings without a control.
        tasks: whether there is a text area for tasks.

    Attributes:
        root: the widget that contains all others.
        is_running: whether rounds follow each other automatically.

    Raises:
        ImportError: ipywidgets or Pillow is not installed.
    """

    def __init__(self, dashboard: Any, *, hidden: Sequence[str] = (), tasks: bool = True) -> None:
        self.dashboard, self.is_running = dashboard, False
        self._filling = False
        self._task: asyncio.Task[None] | None = None
        made = _controls(dashboard)
        self.controls = {name: _widget(control) for name, control in made.items() if name not in hidden}
        for name, widget in self.controls.items():
            widget.observe(functools.partial(self._changed, name), "value")
        self._make_buttons()
        self._make_displays()
        self.task = widgets.Textarea(TASK, layout=widgets.Layout(width="98%", height="56px"))
        self.notes, self.checklist = widgets.HTML(), widgets.HTML()
        self.root = self._arranged(tasks)
        self.refresh()

    def display(self) -> None:
        """Show the widgets in the notebook."""
        from IPython import display

        show: Any = display.display
        show(self.root)

    def refresh(self) -> None:
        """Update all widgets, also with changes made in other cells of the notebook."""
        dashboard = self.dashboard
        self._fill_controls()
        self.picture.value = _png(dashboard.picture())
        self.beliefs.value = _row(
            image(dashboard.belief_svg(), "What the particle filter believes"),
            image(dashboard.belief_svg(exact=True), "What the exact filter believes"),
            captions=(
                "what the particles believe; a ring where the agent is",
                "what the exact filter believes",
            ),
        )
        self.curves.value = _row(
            image(dashboard.curves_svg(), "Uncertainty, and the probability of the true cell")
        )
        self.stats.value = _table(dashboard.stats)
        self.message.value = f"<b>{html.escape(dashboard.message)}</b>"
        self.checklist.value = "<br>".join(html.escape(str(target)) for target in dashboard.waypoints.targets)
        for button in (self.step_button, self.run_button, self.execute_button):
            button.disabled = not dashboard.can_go_on
        for button in self.arrows:
            button.disabled = not dashboard.can_go_on
        self.train_button.disabled = name_of(dashboard.settings.agent, AGENTS) != "q-learning"
        self.run_button.description, self.run_button.icon = (
            ("Pause", "pause") if self.is_running else ("Run", "play")
        )

    # widgets

    def _make_buttons(self) -> None:
        self.step_button = self._button("Step", "step-forward", self.dashboard.step)
        self.run_button = self._button("Run", "play", self._run_or_pause)
        self.execute_button = self._button("Execute to goal", "fast-forward", self._execute, width="150px")
        self.reset_button = self._button("Reset", "refresh", self._reset)
        self.train_button = self._button("Train", "graduation-cap", self._train)
        self.plan_button = self._button("Plan", "map-signs", self._plan)
        self.arrows = [
            self._button(
                sign, "", functools.partial(self.dashboard.step, action), width="40px", hint=f"move {name}"
            )
            for sign, action, name in ARROWS
        ]
        self.delay = widgets.FloatLogSlider(
            0.4, min=-1.3, max=0.5, step=0.1, description="pause, s", readout_format=".2f",
            layout=widgets.Layout(width="240px"), style={"description_width": "60px"},
        )  # fmt: skip

    def _make_displays(self) -> None:
        self.picture = widgets.Image(format="png", layout=widgets.Layout(max_width="500px"))
        self.beliefs, self.curves = widgets.HTML(), widgets.HTML()
        self.stats, self.message = widgets.HTML(), widgets.HTML()
        self.progress = widgets.IntProgress(
            0, min=0, max=1, description="learning", layout=widgets.Layout(visibility="hidden", width=WIDE)
        )

    def _arranged(self, tasks: bool) -> widgets.Widget:
        sections = []
        for title, names in SECTIONS.items():
            listed = [self.controls[name] for name in names if name in self.controls]
            if listed:
                sections += [widgets.HTML(f"<b>{title}</b>"), *listed]
        buttons = widgets.HBox([self.step_button, self.run_button, self.execute_button, self.reset_button])
        by_hand = widgets.HBox([*self.arrows, self.delay])
        learning = widgets.HBox([self.train_button, self.progress])
        middle = [self.picture, self.message, buttons, by_hand, learning]
        side = [self.beliefs, self.curves, self.stats]
        if tasks:
            side += [
                widgets.HTML("<b>Task</b>: places, set apart by commas or “then”"),
                self.task, self.plan_button, self.notes, self.checklist,
            ]  # fmt: skip
        room = widgets.Layout(margin="0 16px 0 0", flex="0 0 auto")
        return widgets.HBox(
            [
                widgets.VBox(sections, layout=room),
                widgets.VBox(middle, layout=room),
                widgets.VBox(
                    side,
                    layout=widgets.Layout(
                        flex="1 1 420px", min_width="420px", max_width="640px", overflow="visible"
                    ),
                ),
            ],
            layout=widgets.Layout(flex_flow="row wrap"),
        )

    def _fill_controls(self) -> None:
        """Set the controls to the present settings."""
        self._filling = True
        try:
            made = _controls(self.dashboard)
            for name, widget in self.controls.items():
                if made[name].kind == "choice" and tuple(widget.options) != made[name].options:
                    widget.options = made[name].options
                now = getattr(self.dashboard.settings, name)
                widget.value = LAYOUT_GOALS if now is None else now
        finally:
            self._filling = False

    # events

    def _changed(self, name: str, change: dict[str, Any]) -> None:
        if not self._filling:
            wanted = None if change["new"] == LAYOUT_GOALS else change["new"]
            self._do(functools.partial(self.dashboard.set, **{name: wanted}))

    def _button(
        self, text: str, icon: str, action: Callable[[], Any], *, width: str = "100px", hint: str = ""
    ) -> widgets.Button:
        made = widgets.Button(
            description=text, icon=icon, tooltip=hint or text, layout=widgets.Layout(width=width)
        )
        made.on_click(lambda _: self._do(action))
        return made

    def _do(self, action: Callable[[], Any]) -> None:
        """Run an action and show the result or the error."""
        try:
            action()
        except Exception as error:  # a user's agent may raise anything
            self.is_running = False
            self.dashboard.message = _error_text(error)
        self.refresh()

    def _run_or_pause(self) -> None:
        if self.is_running:
            self._pause()
        else:
            self._task = asyncio.get_running_loop().create_task(self._run())
            self.is_running = True

    async def _run(self) -> None:
        """Play round after round; between rounds the notebook stays usable."""
        try:
            while self.is_running and self.dashboard.can_go_on:
                self._do(self.dashboard.tick)
                await asyncio.sleep(self.delay.value)
        finally:
            self.is_running = False
            self.refresh()

    def _pause(self) -> None:
        self.is_running = False
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _execute(self) -> None:
        self._pause()
        self.dashboard.execute()

    def _reset(self) -> None:
        self._pause()
        self.dashboard.reset()

    def _plan(self) -> None:
        self.notes.value = html.escape(self.dashboard.plan(self.task.value)).replace("\n", "<br>")

    def _train(self) -> None:
        self._pause()
        self.progress.layout.visibility = "visible"

        def show_progress(done: int, of: int) -> None:
            if done % 10 == 0 or done == of:
                self.progress.max, self.progress.value = of, done

        try:
            self.dashboard.train(progress=show_progress)
        finally:
            self.progress.layout.visibility = "hidden"


def _controls(dashboard: Any) -> dict[str, Control]:
    return controls(dashboard.settings, (dashboard.env.rows, dashboard.env.cols), dashboard.vision_problem)


def _widget(control: Control) -> Any:
    common = {
        "description": control.label,
        "tooltip": control.hint or control.label,
        "layout": widgets.Layout(width=WIDE),
        "style": {"description_width": LABEL},
    }
    if control.kind == "choice":
        return widgets.Dropdown(options=control.options, **common)
    if control.kind == "share":
        return widgets.FloatSlider(min=0, max=1, step=0.05, continuous_update=False, **common)
    if control.kind == "whole":
        return widgets.BoundedIntText(min=control.limits[0], max=control.limits[1], **common)
    return widgets.Checkbox(**common)


def _error_text(error: Exception) -> str:
    """An error in a line: its text, and for unexpected errors also their type and place."""
    if isinstance(error, ValueError | RuntimeError):
        return str(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({PurePath(where.filename).name}, line {where.lineno})"


def _png(picture: Any) -> bytes:
    try:
        from PIL import Image
    except ImportError:
        raise ImportError("the dashboard's pictures need Pillow; install gridarium[notebook]") from None
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG", compress_level=1)
    return file.getvalue()


def _row(*pictures: str, captions: Sequence[str] = ("",)) -> str:
    """Pictures side by side, as wide as the page."""
    cells = (
        f'<figure>{one}<figcaption style="color:#666">{caption}</figcaption></figure>'
        for one, caption in zip(pictures, captions, strict=True)
    )
    return f'{STYLE}<div class="gridarium-row">{"".join(cells)}</div>'


def _table(rows: dict[str, str]) -> str:
    cells = (
        f'<tr><td style="padding-right:12px;color:#666">{html.escape(name)}</td><td>{html.escape(value)}</td></tr>'
        for name, value in rows.items()
    )
    return f'<table style="line-height:1.5">{"".join(cells)}</table>'
