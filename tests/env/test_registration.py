"""The ids of the catalogue's worlds, registered when `gridarium.env` is imported."""

import functools
import subprocess
import sys

import gymnasium
import pytest

from gridarium.env.registration import families, listed
from gridarium.world import Shape
from gridarium.worlds import catalogue


def run(program):
    """The standard output of a program in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_the_list_is_the_catalogues():
    described = [catalogue.description(world.name) for world in listed()]
    assert {world.name for world in listed()} == set(catalogue.names())
    assert [(w.version, w.agents) for w in listed()] == [(d.version, len(d.agents)) for d in described]


def test_families_have_ids_too_and_are_their_first_members():
    assert {*(family.name for family in families()), *catalogue.names()} >= set(catalogue.families())
    for family in families():
        described = catalogue.description(family.name)
        assert described.name == catalogue.family(family.name).members[0]
        assert family.agents == len(described.agents) and family.id in gymnasium.registry


def test_a_familys_world_is_made_in_any_size():
    env = gymnasium.make("gridarium/DoorKey-v0", size=9, compiled=False).unwrapped
    assert (env.world.spec.shape, env.world.spec.time_limit) == (Shape(9, 9), 810)
    envs = gymnasium.make_vec("gridarium/DoorKey-v0", num_envs=2, size=(5, 7), compiled=False)
    assert (envs.world.spec.shape, envs.world.spec.time_limit) == (Shape(5, 7), 350)
    assert gymnasium.make("gridarium/DoorKey-v0", compiled=False).unwrapped.world.name == "DoorKey-5x5"


def test_a_familys_world_for_several_agents_is_made_in_any_size():
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    for kind in ("parallel", "aec"):
        env = pettingzoo.make(kind, "gridarium/TwoAgents-Helper-v0", size=9, compiled=False).unwrapped
        assert env.core.world.spec.shape == Shape(9, 9)


@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "imports",
    ["import gymnasium, gridarium", "import gymnasium, gridarium; gymnasium.register_envs(gridarium)",
     "import gridarium, gymnasium; gymnasium.register_envs(gridarium.env)",
     "import gridarium.env, gymnasium", "import gymnasium, gridarium.env",
     "from gridarium.env import GridariumEnv; import gymnasium", "import gymnasium; from gridarium import World"],
)  # fmt: skip
def test_whatever_is_imported_first_worlds_have_ids(imports):
    program = f"{imports}\nprint(gymnasium.make('gridarium/Empty-4x4-v0', compiled=False).reset(seed=0)[1])"
    assert run(program) == ["{'tick':", "0,", "'result':", "0}"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("module", ["gridarium", "gridarium.env"])
def test_gymnasium_may_import_the_library_itself(module):
    program = (
        f"import gymnasium\nprint(gymnasium.make('{module}:gridarium/Empty-4x4-v0', compiled=False).spec.id)"
    )
    assert run(program) == ["gridarium/Empty-4x4-v0"]


def test_importing_the_library_loads_nothing_else():
    loaded = run("import sys, gridarium\nprint(*{name.partition('.')[0] for name in sys.modules})")
    heavy = {"numba", "numpy", "gymnasium", "pettingzoo", "pydantic", "yaml", "stable_baselines3", "torch"}
    assert not heavy & set(loaded)


def test_registering_loads_no_environment():
    loaded = run("import sys, gridarium.env\nprint(*sys.modules)")
    assert not {"gridarium.engine", "gridarium.worlds", "numba", "pydantic", "yaml"} & set(loaded)


def test_gymnasium_works_without_pettingzoo():
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import gridarium.env, gymnasium\n"
        "gymnasium.make('gridarium/Empty-4x4-v0')\n"
        "try: gridarium.env.parallel_env\n"
        "except ImportError as error: print(error)"
    )
    assert "gridarium[multiagent]" in run(program)


def test_gymnasium_says_what_makes_worlds_with_several_agents():
    for make in (
        gymnasium.make,
        functools.partial(gymnasium.make_vec, vectorization_mode="vector_entry_point"),
    ):
        with pytest.raises(ValueError, match="TwoAgents-Empty-8x8 has 2 agents"):
            make("gridarium/TwoAgents-Empty-8x8-v0")


def test_worlds_of_ones_own_have_an_id_that_names_no_other_world():
    env = gymnasium.make("gridarium/World-v0", world="Empty-4x4", compiled=False)
    assert str(env.unwrapped) == "<GridariumEnv<gridarium/World-v0>>" and env.reset(seed=0)
    assert gymnasium.make_vec("gridarium/World-v0", num_envs=2, world="Empty-4x4", compiled=False).reset(
        seed=0
    )
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'world'"):
        gymnasium.make("gridarium/World-v0")
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    for kind in ("parallel", "aec"):
        made = pettingzoo.make(kind, "gridarium/World-v0", world="TwoAgents-Empty-8x8", compiled=False)
        assert made.unwrapped.core.world.name == "TwoAgents-Empty-8x8"


def test_every_world_has_an_id_and_those_with_several_agents_are_pettingzoos():
    pettingzoo = pytest.importorskip("pettingzoo", minversion="1.27")
    for world in listed():
        assert world.id in gymnasium.registry
        assert (world.id in pettingzoo.parallel_registry) == (world.agents > 1)
        assert (world.id in pettingzoo.aec_registry) == (world.agents > 1)


def test_the_room_lists_its_names():
    import gridarium.env

    assert {"GridariumEnv", "GridariumVectorEnv", "parallel_env", "aec_env"} <= set(dir(gridarium.env))
    with pytest.raises(AttributeError, match="no 'Env'; there are GridariumEnv"):
        gridarium.env.Env  # noqa: B018
