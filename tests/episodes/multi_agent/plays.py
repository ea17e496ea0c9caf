"""Plays of several agents: what an environment would give, and a slow table of what belongs where."""

from functools import partial

from hypothesis import strategies as st

from gridarium.episodes import EpisodeError, MultiAgentEpisode

AGENTS = ("a", "b", "c")
MISSING = object()

CHOICES = st.sampled_from(["go", "go", "gap", "idle", "end"])
PLAYS = st.lists(st.tuples(CHOICES, CHOICES, CHOICES), max_size=12)


class Play:
    """Runs agents by lists of choices, one for each agent and step, and remembers what happened in plain tables.

    What a choice means depends on whether the agent has begun, is to act, or waits for an observation.

    Attributes:
        steps: the arguments of each `add_env_step`.
        table: kind -> agent -> environment's step -> item.
        waiting: agents whose last action hangs.
    """

    def __init__(self, choices, first=("a", "b")):
        self.count = 0
        self.state = dict.fromkeys(AGENTS, "unseen")
        kinds = ("observations", "infos", "actions", "rewards", "outputs")
        self.table = {kind: {agent: {} for agent in AGENTS} for kind in kinds}
        self.last = {}
        self.steps = []
        self.begin_rewards = dict.fromkeys(AGENTS, 0.0)
        self.reset = {agent: self._observe(agent, 0) for agent in first}
        for t, step in enumerate(choices):
            if any(state != "unseen" for state in self.state.values()) and not self._over():
                self.steps.append(self._step(step, t + 1))

    def _over(self):
        return all(state in ("done", "unseen") for state in self.state.values())

    @property
    def waiting(self):
        return {agent for agent, state in self.state.items() if state == "waits"}

    def _new(self):
        self.count += 1
        return self.count

    def _observe(self, agent, t):
        observation = self._new()
        self.table["observations"][agent][t] = observation
        self.table["infos"][agent][t] = {"n": observation}
        self.last[agent], self.state[agent] = t, "acts"
        return observation

    def _step(self, choices, t):
        names = ("observations", "actions", "rewards", "terminateds", "truncateds", "extra_model_outputs")
        step = {name: {} for name in names}
        for agent, choice in zip(AGENTS, choices):
            self._agent_step(step, agent, choice, t)
        step["infos"] = {agent: {"n": n} for agent, n in step["observations"].items()}
        return step

    def _agent_step(self, step, agent, choice, t):
        state = self.state[agent]
        if state == "done":
            return
        if state == "unseen":
            if choice in ("go", "end"):
                step["observations"][agent] = self._observe(agent, t)
            elif choice == "gap":
                step["rewards"][agent] = 0.25
                self.begin_rewards[agent] += 0.25
            return
        at = self.last[agent]
        if state == "acts" and choice != "idle":
            action = step["actions"][agent] = self._new() % 4
            outputs = step["extra_model_outputs"][agent] = {"value": float(self._new())}
            self.table["actions"][agent][at], self.table["outputs"][agent][at] = action, outputs["value"]
            self.state[agent] = "waits"
        if choice != "idle" or state == "acts":
            reward = step["rewards"][agent] = self._new() / 8
            rewards = self.table["rewards"][agent]
            rewards[at] = rewards.get(at, 0.0) + reward
        if choice in ("go", "end"):
            step["observations"][agent] = self._observe(agent, t)
        if choice == "end":
            step["terminateds" if state == "acts" else "truncateds"][agent] = True
            self.state[agent] = "done"

    # what it makes

    def episode(self, **options):
        episode = MultiAgentEpisode(**options)
        episode.add_env_reset(
            observations=self.reset, infos={a: self.table["infos"][a][0] for a in self.reset}
        )
        self.go_on(episode)
        return episode

    def go_on(self, episode, start=0, stop=None):
        for step in self.steps[start:stop]:
            episode.add_env_step(**step)

    def rows(self, kind, agent):
        """One item for each of the environment's steps, or MISSING."""
        n = len(self.steps) + (kind in ("observations", "infos"))
        return [self.table[kind][agent].get(t, MISSING) for t in range(n)]

    def items(self, kind, agent):
        """The items of the agent's own steps."""
        return [item for _, item in sorted(self.table[kind][agent].items())]

    def seen(self):
        return [agent for agent in AGENTS if self.table["observations"][agent]]


def contents(episode):
    """All that two episodes must share to be the same."""
    agents = {}
    for agent, of_agent in episode.agent_episodes.items():
        visible = {
            name: [plain(item) for item in buffer.as_list()] for name, buffer in of_agent.buffers().items()
        }
        steps = episode.env_t_to_agent_t[agent].get()
        flags = (of_agent.is_terminated, of_agent.is_truncated)
        agents[agent] = (visible, steps, flags, of_agent.t_started, of_agent.t)
    hanging = (
        episode.tables.hanging_actions,
        {agent: reward for agent, reward in episode.tables.hanging_rewards.items() if reward},
        {agent: reward for agent, reward in episode.tables.begin_rewards.items() if reward},
        episode.tables.hanging_outputs,
    )
    flags = (episode.is_terminated, episode.is_truncated)
    return agents, hanging, flags, episode.env_t_started, episode.env_t


INDICES = (None, slice(None), slice(-3, None), slice(0, 20), [-1], -1)


def told(episode):
    """All that the getters of an episode of lists tell."""
    getters = {
        "observations": episode.get_observations,
        "infos": episode.get_infos,
        "actions": episode.get_actions,
        "rewards": episode.get_rewards,
        "outputs": partial(episode.get_extra_model_outputs, "value"),
    }
    found = {
        (name, str(indices), tuple(options)): _asked(getter, indices, options)
        for name, getter in getters.items()
        for indices in INDICES
        for options in ({}, {"fill": 0}, {"env_steps": False}, {"return_list": True})
    }
    names = ("terminateds", "truncateds", "agents_to_act", "agents_that_stepped", "return")
    for name in names:
        found[name] = getattr(episode, f"get_{name}")()
    found["return with what hangs"] = episode.get_return(include_hanging_rewards=True)
    found["lengths"] = len(episode), episode.env_steps(), episode.agent_steps(), episode.agent_ids
    return found


def _asked(getter, indices, options):
    try:
        return getter(indices=indices, **options)
    except (EpisodeError, IndexError, KeyError) as error:
        return type(error)


def plain(item):
    """Without numpy's types, so that things can be compared."""
    return item.tolist() if hasattr(item, "tolist") else item
