"""The vision sensor of the ghost world, alone and in an interface's filter."""

import numpy as np
import pytest

from gridarium.ghost import AgentInterface, CustomGridEnv, VisionSensor
from gridarium.vision import Classifier, ModelError

CELLS = CustomGridEnv(render_mode=None).grid
DOG = CELLS[0, 0]


def test_it_says_a_class_and_the_probability_of_each():
    sensor = VisionSensor(seed=0)
    found = sensor.predict(DOG)
    assert found.keys() == {"prediction", "probs"} and sum(found["probs"]) == pytest.approx(1)
    name, share = found["prediction"]
    assert share == max(found["probs"]) == found["probs"][sensor.class_names.index(name)]
    assert sensor.class_names == ["dog", "flower", "background"]


def test_without_disturbance_it_knows_every_cell():
    from gridarium.ghost.world.likelihoods import cell_class

    sensor = VisionSensor(strength=0)
    for cell in CELLS.flat:
        assert sensor.predict(cell)["prediction"][0] == cell_class(cell)
        assert sensor.predict(cell) == sensor.predict(cell)


def test_a_goal_is_seen_as_one_unless_a_picture_lies_on_it():
    sensor = VisionSensor(strength=0)
    goal = {**DOG, "is_goal": True}
    assert sensor.predict(goal)["prediction"][0] == "dog"
    bare, plain = ({**DOG, "items": [], "is_goal": is_goal} for is_goal in (True, False))
    assert (sensor.picture(bare) != sensor.picture(plain)).any()


def test_equal_seeds_see_the_same():
    one, same, other = (VisionSensor(seed=s) for s in (1, 1, 2))
    first = [one.predict(DOG) for _ in range(5)]
    assert first == [same.predict(DOG) for _ in range(5)] != [other.predict(DOG) for _ in range(5)]
    one.reset(1)
    assert [one.predict(DOG) for _ in range(5)] == first
    assert first[0] != first[1]


def test_walls_can_be_seen():
    sensor = VisionSensor(strength=0)
    assert (sensor.picture(DOG, 2)[:, -1] != sensor.picture(DOG)[:, -1]).all(axis=1).any()


def test_mistakes_are_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="no model file"):
        VisionSensor("nowhere.npz")
    with pytest.raises(ValueError, match="strength is a number from 0 on, got -1"):
        VisionSensor(strength=-1)
    shipped = Classifier.load()
    card = shipped.card.model_copy(update={"classes": ("cat", "flower", "background")})
    Classifier(shipped.network, card).save(tmp_path / "cats.npz")
    with pytest.raises(ModelError, match="cat, flower, background apart"):
        VisionSensor(tmp_path / "cats.npz")


@pytest.mark.parametrize("mode", ["cnn", "both"])
def test_an_interface_filters_with_it(mode):
    interface = AgentInterface(
        render=False, use_ghost=False, pf_sensor_mode=mode, vision_sensor=VisionSensor(strength=0.5)
    )
    found = []
    for seed in (3, 3, 4):
        interface.reset(seed=seed)
        infos = [interface.last_info]
        for action in (1, 0, 2, 3):
            if not interface.is_terminated():
                infos.append(interface.step(action)[3])
        assert all({"cnn_prediction", "cnn_probs", "estimated_pos"} <= info.keys() for info in infos)
        found.append([(info["cnn_probs"], info["estimated_pos"]) for info in infos])
    assert found[0] == found[1] != found[2]


@pytest.mark.exhaustive
def test_it_helps_the_filter():
    right = {}
    for name, sensor in {"color": None, "both": VisionSensor(strength=0.5)}.items():
        interface = AgentInterface(
            render=False, use_ghost=False, vision_sensor=sensor, pf_num_particles=300, slip_probability=0.1
        )
        rng, hits = np.random.default_rng(0), []
        for seed in range(80):
            interface.env.start_pos = rng.integers((4, 5)).tolist()
            interface.reset(seed=seed)
            for action in rng.integers(4, size=5).tolist():
                if not interface.is_terminated():
                    interface.step(action)
            hits.append(interface.last_info["estimated_pos"]["cell_pos"] == interface.env.agent_pos)
        right[name] = np.mean(hits)
    assert right["both"] > right["color"] + 0.08


@pytest.mark.exhaustive
def test_it_is_less_often_right_where_most_cells_are_background():
    from gridarium.ghost.world.likelihoods import cell_class

    sensor, right = VisionSensor(seed=0), {name: [] for name in ("dog", "flower", "background")}
    for cell in CELLS.flat:
        said = [sensor.predict(cell)["prediction"][0] for _ in range(60)]
        right[cell_class(cell)] += [name == cell_class(cell) for name in said]
    shares = {name: np.mean(found) for name, found in right.items()}
    assert 0.8 < np.mean([*right["dog"], *right["flower"], *right["background"]]) < 0.87
    assert min(shares["dog"], shares["flower"]) > 0.85 > shares["background"]
