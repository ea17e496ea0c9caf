"""Train an agent with Stable-Baselines3's PPO, print its learning curve, and save it.

    python examples/sb3_keydoor.py                       # KeyDoor-5x5: pick up the key, open the door, reach the exit
    python examples/sb3_keydoor.py --world Empty-8x8 --steps 400000

Needs the extra `gridarium[sb3]`. The curve is also saved as a picture.
"""

import argparse
import csv
import itertools
from pathlib import Path

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecMonitor

from gridarium.agents import evaluate
from gridarium.env.sb3 import GridariumVecEnv

WIDTH = 40


class Curve(BaseCallback):
    """After each round of data: how many steps were taken, and the mean return and length of the last episodes."""

    def __init__(self, first, limit):
        super().__init__()
        self.first, self.limit, self.rows = first, limit, []

    def _on_step(self):
        return True

    def _on_rollout_end(self):
        episodes = list(self.model.ep_info_buffer)
        if self.num_timesteps < self.first:  # so far, only short episodes have ended
            return
        mean = float(np.mean([episode["r"] for episode in episodes]))
        length = float(np.mean([episode["l"] for episode in episodes]))
        self.rows.append((self.num_timesteps, mean, length))
        if len(self.rows) % 4 == 1:
            bar = "#" * round(WIDTH * (1.0 - length / self.limit))  # how much of the time is saved
            print(
                f"{self.num_timesteps:9,d} steps  return {mean:7.2f}  length {length:6.1f}  {bar}", flush=True
            )


def train(world="KeyDoor-5x5", steps=200_000, seed=0, envs=64, limit=100):
    """A trained model and the rows of its learning curve."""
    torch.set_num_threads(1)
    env = VecMonitor(GridariumVecEnv(world, envs, max_episode_steps=limit))
    model = PPO(
        "MlpPolicy",
        env,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        learning_rate=1e-3,
        gamma=0.98,
        ent_coef=0.02,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    curve = Curve(2 * envs * limit, limit)
    model.learn(steps, callback=curve)
    return model, curve.rows


def tested(model, world, episodes=200, limit=100):
    """How the model does in new episodes; its likeliest actions alone can be the same until the time limit."""
    env = GridariumVecEnv(world, 1, max_episode_steps=limit)
    trained = env.policy(model, deterministic=False)
    return evaluate(env.world, trained, episodes=episodes, seed=1_000_000)


def save(rows, path):
    """Write the curve as a table and, if matplotlib is there, as a picture."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".csv").open("w", newline="") as file:
        csv.writer(file).writerows(itertools.chain([("steps", "return", "length")], rows))
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return
    steps, returns, lengths = zip(*rows, strict=True)
    _, (upper, lower) = plt.subplots(2, sharex=True)
    upper.plot(steps, returns)
    upper.set_ylabel("return")
    lower.plot(steps, lengths)
    lower.set(xlabel="steps", ylabel="length")
    plt.savefig(path.with_suffix(".png"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--world", default="KeyDoor-5x5")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", default="sb3_keydoor", help="where to save the curve")
    given = parser.parse_args()
    model, rows = train(given.world, given.steps, given.seed)
    save(rows, given.out)
    print(f"{given.world}, new episodes: {tested(model, given.world)}; curve in {given.out}.csv")


if __name__ == "__main__":
    main()
