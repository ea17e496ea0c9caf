"""A start or default is evaluated before the items that stand in front of it; a property or an item draws."""

from typing import Any

from gridarium.compiled.data_types.value_class import value


@value
class Luck:
    rng: Any

    @property
    def draw(self):
        return self.rng.random()

    def __getitem__(self, i):
        return self.rng.integers(100) + i


def rule(state, action, *, rng):
    luck, total = Luck(rng), 0
    for i, x in enumerate((luck[1], luck[2]), luck[3]):
        total = total * 3 + i * x
    state.n = total
    state.h = min((x for x in range(int(luck.draw * 2))), default=luck.draw)
    state.g = sum((x for x in range(luck[1])), luck.draw)
