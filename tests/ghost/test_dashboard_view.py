import asyncio

import pytest

pytest.importorskip("ipywidgets")

from gridarium.ghost.agents import MinimaxAgent, RandomPlayerAgent
from gridarium.ghost.colab_gui import AdversarialColabGUI, ColabGUI, PFColabGUI
from gridarium.ghost.dashboard import Dashboard
from gridarium.ghost.dashboard.view import DashboardView

PNG = b"\x89PNG"


@pytest.fixture
def view():
    return DashboardView(Dashboard(seed=1, slip=0.0, use_ghost=False))


def test_it_shows_the_world_beliefs_and_how_things_stand(view):
    assert bytes(view.picture.value).startswith(PNG)
    assert view.beliefs.value.count("data:image/svg+xml") == 2 and "svg+xml" in view.curves.value
    assert "(0, 2)" in view.stats.value and "A new episode." in view.message.value


def test_controls_change_the_settings(view):
    view.controls["slip"].value = 0.35
    view.controls["agent"].value = "expectimax"
    view.controls["use_ghost"].value = True
    settings = view.dashboard.settings
    assert (settings.slip, settings.agent, settings.use_ghost) == (0.35, "expectimax", True)
    view.controls["layout"].value = "maze-8x10"
    assert view.dashboard.env.rows == 8 and ("(7, 9)", (7, 9)) in view.controls["goal"].options


def test_what_is_refused_is_told_and_the_control_goes_back(view):
    view.controls["goal"].value = (3, 4)
    view.controls["layout"].value = "corridor-1x9"
    assert "goal [3, 4] is outside the grid of 1 x 9 cells" in view.message.value
    assert view.controls["layout"].value == "teaching-4x5"


def test_a_goal_is_chosen_and_taken_back(view):
    assert view.controls["goal"].label == "as on the map"
    view.controls["goal"].value = (0, 0)
    assert view.dashboard.simulation.goals == [(0, 0)]
    view.controls["goal"].value = "layout goals"
    assert (
        view.dashboard.simulation.goals == [(3, 1), (3, 4)] and view.controls["goal"].label == "as on the map"
    )


def test_what_other_cells_of_a_notebook_do_is_shown(view):
    view.dashboard.set(particles=123, quality=0.6)
    view.refresh()
    assert view.controls["particles"].value == 123 and view.controls["quality"].value == 0.6


def test_buttons_step_execute_and_reset(view):
    view.step_button.click()
    assert "Went" in view.message.value and view.dashboard.interface.episode_steps == 1
    view.arrows[0].click()
    assert view.dashboard.interface.episode_steps == 2
    view.execute_button.click()
    assert "Goal reached" in view.message.value
    assert view.step_button.disabled and view.run_button.disabled and view.arrows[0].disabled
    view.reset_button.click()
    assert not view.step_button.disabled and view.dashboard.interface.episode_steps == 0


def test_it_runs_without_blocking_until_the_end(view):
    async def lesson():
        view.delay.value = view.delay.base**view.delay.min
        view.run_button.click()
        running = view.is_running, view.run_button.description
        beats = 0
        while view.is_running:
            await asyncio.sleep(0.01)
            beats += 1
        return running, beats

    running, beats = asyncio.run(lesson())
    assert running == (True, "Run") or running == (True, "Pause")
    assert beats > 2 and "Goal reached" in view.message.value
    assert view.run_button.description == "Run"


def test_it_pauses(view):
    async def lesson():
        view.run_button.click()
        await asyncio.sleep(0.01)
        view.run_button.click()
        await asyncio.sleep(0.05)
        return view.dashboard.interface.episode_steps

    assert asyncio.run(lesson()) == 1
    assert not view.is_running and view.dashboard.can_go_on


def test_running_without_a_loop_is_told(view):
    view.run_button.click()
    assert not view.is_running and "no running event loop" in view.message.value


def test_what_goes_wrong_in_an_agent_of_ones_own_is_told_and_stops_the_run():
    class Broken(RandomPlayerAgent):
        def get_action(self, observation):
            return observation["where"]

    view = DashboardView(Dashboard(agent=Broken))

    async def lesson():
        view.run_button.click()
        await asyncio.sleep(0.05)

    asyncio.run(lesson())
    assert not view.is_running
    assert "KeyError: &#x27;where&#x27; (test_dashboard_view.py, line" in view.message.value


def test_a_task_becomes_a_checklist(view):
    view.task.value = "the piano, <b>unicorn</b>"
    view.plan_button.click()
    assert "☐ (2, 2)" in view.checklist.value and "&lt;b&gt;unicorn" in view.notes.value
    view.execute_button.click()
    assert view.checklist.value.count("☑") == 2


def test_lessons_show_their_progress(view):
    assert view.train_button.disabled
    view.controls["agent"].value = "q-learning"
    assert not view.train_button.disabled
    view.train_button.click()
    assert view.progress.value == view.progress.max == 300
    assert view.progress.layout.visibility == "hidden" and "Learned in 300 episodes" in view.message.value


def test_the_familiar_names(capsys):
    everything, filters, against = ColabGUI(), PFColabGUI(), AdversarialColabGUI(slip_probability=0.3)
    for gui in (everything, filters, against):
        gui.run()
    assert everything.dashboard.settings.agent == "random" and everything.dashboard.settings.slip == 0.1
    assert filters.dashboard.settings.goal == (3, 1) and not filters.dashboard.settings.use_ghost
    assert "ghost" not in filters.view.controls and "goal" in filters.view.controls
    assert against.dashboard.settings.slip == 0.3 and isinstance(against.dashboard.agent, MinimaxAgent)
    assert against.dashboard.settings.use_ghost


def test_a_dashboard_shows_itself(capsys):
    from IPython.core.formatters import DisplayFormatter

    DisplayFormatter().format(Dashboard())
    assert "HBox" in capsys.readouterr().out
