"""The names under which arguments are given, by position and by name, are those of CustomGridEnv."""

import inspect
from inspect import Parameter

import pytest

from gridarium.ghost import agents, colab_gui, env, interface, particle_filter, planner, renderer, sensors
from gridarium.ghost.agents import base_agent

REQUIRED = Parameter.empty
SLIPPING = {"slip_probability": 0.2, "slip_type": "longitudinal"}
OBSERVATION, STATE = {"observation": REQUIRED}, {"state": REQUIRED}
SCENE = dict.fromkeys(
    [
        "agent_pos",
        "ghost_pos",
        "grid",
        "walls_horizontal",
        "walls_vertical",
        "step_count",
        "current_turn",
        "info",
    ],
    REQUIRED,
)
LOOKING_AHEAD = {
    "__init__": {"action_space": REQUIRED, "depth_limit": 4},
    "get_action": OBSERVATION,
    "get_value": {"agent_pos": REQUIRED, "ghost_pos": REQUIRED},
}
SIGNATURES = {
    env.CustomGridEnv: {
        "__init__": {
            "render_mode": "human",
            **SLIPPING,
            "color_sensor_quality": 0.8,
            "deterministic": False,
            "use_ghost": True,
        },
        "reset": {"seed": None, "options": None},
        "step": {"action": REQUIRED},
        "render": {},
        "close": {},
        "calculate_reward": {"caught_by_ghost": False},
        "get_reward_structure": {},
        "move_ghost": {"ghost_action": REQUIRED},
        "get_current_turn": {},
        "set_goal": {"pos": REQUIRED},
        "get_grid_description": {},
        "_move_entity": {"current_pos": REQUIRED, "action": REQUIRED},
        "_is_move_valid": {"from_pos": REQUIRED, "to_pos": REQUIRED},
        "_get_cell_info": {"row": REQUIRED, "col": REQUIRED},
        "_calculate_shortest_path_distance": {"start_pos": REQUIRED, "end_pos": REQUIRED},
        "_get_obs": {},
        "_get_ghost_obs": {},
        "_apply_slip": {"intended_action": REQUIRED},
        "_get_color_sensor_measurement": {"pos": REQUIRED},
    },
    interface.AgentInterface: {
        "__init__": {
            "render": True,
            "render_mode": None,
            "step_delay": 100,
            **SLIPPING,
            "ghost_agent_class": None,
            "use_particle_filter": True,
            "pf_num_particles": 200,
            "pf_sensor_mode": "both",
            "show_particles": True,
            "color_sensor_quality": 0.8,
            "deterministic": False,
            "use_ghost": True,
        },
        "reset": {"seed": None},
        "step": {"action": REQUIRED},
        "is_terminated": {},
        "get_episode_stats": {},
        "get_action_space": {},
        "get_observation_space": {},
        "set_ghost_agent": {"agent_class": REQUIRED},
        "get_reward_structure": {},
        "close": {},
    },
    particle_filter.ParticleFilter: {
        "__init__": {"rows": REQUIRED, "cols": REQUIRED, "num_particles": 200},
        "predict": dict.fromkeys(["action", "slip_prob", "slip_type", "env_is_move_valid_fn"], REQUIRED),
        "update": {
            "measurements": REQUIRED,
            "sensor_mode": REQUIRED,
            "grid": REQUIRED,
            "cnn_class_names": ("dog", "flower", "background"),  # required in the original
            "color_sensor_quality": 0.8,
        },
        "resample": {},
        "get_particles": {},
        "get_estimated_position": {},
    },
    sensors.VisionSensor: {"__init__": {"model_path": None}, "predict": {"cell": REQUIRED}},
    base_agent.Agent: {"__init__": {"action_space": REQUIRED}, "get_action": OBSERVATION},
    agents.BaseAgent: {"__init__": {"action_space": REQUIRED}, "get_action": OBSERVATION},
    agents.RandomPlayerAgent: {"__init__": {"action_space": REQUIRED}, "get_action": OBSERVATION},
    agents.RandomGhostAgent: {"__init__": {"action_space": REQUIRED}, "get_action": OBSERVATION},
    agents.ChaseGhostAgent: {"__init__": {"action_space": REQUIRED}, "get_action": OBSERVATION},
    agents.AdversarialAgent: LOOKING_AHEAD,
    agents.MinimaxAgent: LOOKING_AHEAD,
    agents.ExpectimaxAgent: LOOKING_AHEAD,
    agents.ValueIterationAgent: {
        "__init__": {"action_space": REQUIRED},
        "get_action": OBSERVATION,
        "get_value": STATE,
    },
    agents.QLearningAgent: {
        "__init__": {"action_space": REQUIRED, "alpha": 0.1, "gamma": 0.9, "epsilon": 0.1},
        "get_action": OBSERVATION,
        "update": dict.fromkeys(["state", "action", "reward", "next_state", "done"], REQUIRED),
        "get_value": STATE,
        "get_best_action": STATE,
        "_get_q_values": STATE,
    },
    planner.TaskPlanner: {
        "__init__": {"env": REQUIRED},
        "identify_targets": {"task_description": REQUIRED},
        "value_iteration": {"goal_pos": REQUIRED, "theta": 1e-4},
        "get_optimal_action": {"current_pos": REQUIRED, "V": REQUIRED},
        "solve_tsp": {"start_pos": REQUIRED, "targets": REQUIRED},
        "get_path": {"start_pos": REQUIRED, "goal_pos": REQUIRED},
    },
    planner.LLMClient: {"chat_completion": {"messages": REQUIRED}},
    renderer.PygameRenderer: {
        "__init__": {"rows": REQUIRED, "cols": REQUIRED, "render_mode": "human", "render_fps": 4},
        "render": {**SCENE, "use_ghost": True},
        "close": {},
    },
    colab_gui.ColabGUI: {
        "__init__": {"agent_class": agents.RandomPlayerAgent, "slip_probability": 0.1},
        "run": {},
    },
    colab_gui.PFColabGUI: {"__init__": {"agent_class": agents.ValueIterationAgent, "slip_probability": 0.1}},
    colab_gui.AdversarialColabGUI: {
        "__init__": {"agent_class": agents.MinimaxAgent, "slip_probability": 0.1}
    },
}
KEYWORDS = {
    planner.TaskPlanner: {"use_llm": True, "llm": "qwen/qwen3-32b", "api_choice": "groq", "max_tokens": 612}
}
METHODS = [(owner, name) for owner, methods in SIGNATURES.items() for name in methods]


@pytest.mark.parametrize(("owner", "name"), METHODS, ids=[f"{o.__name__}.{n}" for o, n in METHODS])
def test_arguments_have_their_names_places_and_defaults(owner, name):
    given = [*inspect.signature(getattr(owner, name)).parameters.values()][1:]
    wanted = SIGNATURES[owner][name]
    by_place = [p for p in given if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    assert [(p.name, p.default) for p in by_place[: len(wanted)]] == [*wanted.items()]
    further = [p for p in given if p not in by_place] + by_place[len(wanted) :]
    assert all(p.default is not REQUIRED or p.kind is Parameter.VAR_KEYWORD for p in further)


@pytest.mark.parametrize("owner", KEYWORDS)
def test_keywords_have_their_defaults(owner):
    given = inspect.signature(owner).parameters
    assert {name: given[name].default for name in KEYWORDS[owner]} == KEYWORDS[owner]


def test_a_seed_may_be_given_by_place():
    made = env.CustomGridEnv(None)
    assert made.reset(3, None)[1] == made.reset(seed=3)[1]
    made.reset(3)
    made.move_ghost(ghost_action=3)
    assert made.ghost_pos == [2, 4]
