"""overcooked_ai: one environment with two cooks; with the lossless encoding of both, and the bare step."""

from importlib.metadata import version
from itertools import cycle, islice

import meter
from overcooked_ai_py.mdp.actions import Action
from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

CASES = ("cramped_room", "asymmetric_advantages", "bare step of cramped_room")
HORIZON = 400
STEPS = 256


def stepping(layout: str, *, encodes: bool) -> meter.Chunk:
    env = OvercookedEnv.from_mdp(OvercookedGridworld.from_layout_name(layout), horizon=HORIZON, info_level=0)
    drawn = cycle(meter.draw(Action.NUM_ACTIONS, 2))
    env.reset()

    def chunk() -> int:
        seen = 0
        for joint in islice(drawn, STEPS):
            state, _, done, _ = env.step(tuple(Action.ALL_ACTIONS[a] for a in joint))
            if encodes:
                seen += sum(int(array[0, 0, 0]) for array in env.lossless_state_encoding_mdp(state))
            if done:
                env.reset()
        return STEPS

    return chunk


def main() -> None:
    options = meter.arguments()
    rows = [
        meter.row(case, stepping(case.split()[-1], encodes=not case.startswith("bare")), options)
        for case in CASES
        if options.only in case
    ]
    meter.report("overcooked", version("overcooked-ai"), rows)


if __name__ == "__main__":
    main()
