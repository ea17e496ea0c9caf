"""Train an agent on Blocks World for Teams in batches, then put it into the live world as a teammate.

    python examples/live_teammate.py                     # trains, saves teammate.npz, compares it with other teammates
    python examples/live_teammate.py --steps 0           # compares the one that was saved
    gridarium live bw4t --teammate teammate.npz          # plays with it, and with people, in the browser

Needs the extra `gridarium[sb3]` to train; the comparison and the live world need no extra. The two agents of a training world share
one policy. They observe what collectors know (the array rule `collector_view`) and choose among the live world's own actions, of
which the mask says which are possible. The network scores the names of actions, so it plays in plans of other sizes, too.
"""

import argparse
import functools
import statistics
import sys
import time

from gridarium import World
from gridarium.live import ActionNetwork, AgentBrain, PolicyBrain
from gridarium.live.worlds import bw4t
from gridarium.live.worlds.collecting import VIEW, collecting

LONGEST = 1500
"""The ticks after which a team has failed."""
EXPLORING = 0.02
"""The weight of the policy's entropy at first."""


def falling(left):
    """A factor for the share of the training that is left: 1 in the first half, then falling to 0."""
    return min(1.0, 2 * left)


def train(steps, rooms=(2, 2), wanted=4, limit=200, seed=0, worlds=128):
    """A network that has learned in `steps` decisions of agents, and how the length of episodes fell, as (steps, ticks)."""
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecMonitor

    from gridarium.env.sb3 import GridariumVecEnv

    class ByName(torch.nn.Module):
        """Scores of names, repeated for each action of that name, such as GrabObject(3)."""

        def __init__(self, width, every):
            super().__init__()
            self.names = list(dict.fromkeys(every))
            self.scores = torch.nn.Linear(width, len(self.names))
            self.register_buffer("index", torch.tensor([self.names.index(name) for name in every]))

        def forward(self, x):
            return self.scores(x)[:, self.index]

    class Policy(MaskableActorCriticPolicy):
        def _build(self, schedule):
            super()._build(schedule)
            self.action_net = ByName(self.mlp_extractor.latent_dim_pi, names)
            self.optimizer = self.optimizer_class(self.parameters(), lr=schedule(1), **self.optimizer_kwargs)

    class Curve(BaseCallback):
        def _on_step(self):
            return True

        def _on_rollout_end(self):
            self.model.ent_coef = EXPLORING * falling(self.model._current_progress_remaining)
            if self.model.ep_info_buffer:
                lengths = [episode["l"] for episode in self.model.ep_info_buffer]
                curve.append((self.num_timesteps, statistics.mean(lengths)))
                if len(curve) % 10 == 1:
                    print(f"{self.num_timesteps:9,d} decisions: {curve[-1][1]:6.1f} ticks", flush=True)

    torch.set_num_threads(1)
    builder = bw4t(agents=2, people=0, wanted=wanted, rooms=rooms)
    described = collecting(builder.description(), wanted=wanted, time_limit=limit)
    env = GridariumVecEnv(described, worlds, shared_policy=True)
    names, curve = [action.name.partition("(")[0] for action in env.world.actions], []
    model = MaskablePPO(
        Policy,
        VecMonitor(env),
        n_steps=32,
        batch_size=1024,
        n_epochs=4,
        learning_rate=lambda left: 3e-3 * falling(left),
        gamma=0.97,
        ent_coef=EXPLORING,
        vf_coef=0.05,
        max_grad_norm=10,
        policy_kwargs={"net_arch": [64, 64]},
        seed=seed,
        device="cpu",
    )
    model.learn(steps, callback=Curve())
    hidden = [layer for layer in model.policy.mlp_extractor.policy_net if hasattr(layer, "weight")]
    layers = [
        (layer.weight.detach().numpy().T, layer.bias.detach().numpy())
        for layer in [*hidden, model.policy.action_net.scores]
    ]
    return ActionNetwork.of(VIEW, model.policy.action_net.names, layers, draws=True), curve


class Idle(AgentBrain):
    """Does nothing."""

    def decide_on_action(self, state):
        return None, {}


def ticks_with(teammate, worlds=20, compiled=True, **options):
    """The ticks that a scripted robot and a teammate need, for each of several worlds."""
    builder = bw4t(agents=2, people=0, tick_duration=0, random_seed=100, teammate=teammate, **options)
    return [world.run(max_ticks=LONGEST) for world in builder.worlds(worlds, compiled=compiled)]


def at_random(compiled=True, **options):
    """A brain that does anything which is possible: one that only walks about, as `AgentBrain` does, is as good as an idle one."""
    described = bw4t(agents=2, people=0, **options).description(action_masks=True)
    return functools.partial(PolicyBrain, "random", World(described, compiled=compiled))


def compare(path, **options):
    """Print how long a team needs with each kind of teammate."""
    plan = {key: value for key, value in options.items() if key != "worlds"}
    for name, teammate in (
        ("idle", Idle), ("random", at_random(**plan)), ("scripted", None), ("trained", path),
    ):  # fmt: skip
        ticks = ticks_with(teammate, **options)
        print(f"  {name:9} median {statistics.median(ticks):6.1f} ticks, {min(ticks)} to {max(ticks)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=1_200_000, help="decisions of agents; 0 trains nothing")
    parser.add_argument("--file", default="teammate.npz")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worlds", type=int, default=20, help="in which teammates are compared")
    given = parser.parse_args()
    if given.steps:
        begin = time.perf_counter()
        try:
            network, _ = train(given.steps, seed=given.seed)
        except ModuleNotFoundError as missing:
            sys.exit(
                f"Training needs {missing.name}: pip install 'gridarium[sb3]'. --steps 0 compares a network that is there."
            )
        network.save(given.file)
        print(f"{given.file} written, after {time.perf_counter() - begin:.0f} s")
    for options in {"rooms": (2, 2), "wanted": 4}, {"rooms": (3, 3), "wanted": 6}:
        print(f"A scripted robot and a teammate, {options}:")
        compare(given.file, worlds=given.worlds, **options)


if __name__ == "__main__":
    main()
