"""What an episode is, in a form that can be compared after it may have changed."""

import numpy as np


def frozen(state):
    """A state as `get_state` gives it, with arrays as their types, shapes and bytes."""
    if isinstance(state, dict):
        return {key: frozen(value) for key, value in state.items()}
    if isinstance(state, (list, tuple)):
        return type(state), [frozen(value) for value in state]
    if isinstance(state, (np.ndarray, np.generic)):
        return type(state), state.dtype.str, state.shape, state.tobytes()
    return type(state), state
