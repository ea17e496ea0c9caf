"""The network in plain arrays does what its layers say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridarium.vision.network import Layer, Network, hidden_layers, weight_shapes

LAYERS = (Layer(kind="conv", outputs=4, width=3, stride=2, pool=2), Layer(kind="dense", outputs=3))


def network(layers=LAYERS, size=8, seed=0):
    rng = np.random.default_rng(seed)
    shapes = weight_shapes(layers, size)
    weights = tuple(rng.normal(size=w).astype(np.float32) for w, _ in shapes)
    return Network(layers, size, weights, tuple(rng.normal(size=b).astype(np.float32) for _, b in shapes))


def by_hand(net, picture):
    """The same in loops, straight from the definition."""
    x = picture.astype(np.float64)
    for i, (layer, w, b) in enumerate(zip(net.layers, net.weights, net.biases)):
        if layer.kind == "conv":
            m = layer.width // 2
            padded = np.pad(x, ((m, m), (m, m), (0, 0)))
            side = -(-x.shape[0] // layer.stride)
            y = np.zeros((side, side, layer.outputs))
            for r in range(side):
                for c in range(side):
                    top, left = r * layer.stride, c * layer.stride
                    square = padded[top : top + layer.width, left : left + layer.width]
                    y[r, c] = square.transpose(2, 0, 1).ravel() @ w + b
            side //= layer.pool
            x = np.array(
                [
                    [
                        y[r * layer.pool :][: layer.pool, c * layer.pool :][:, : layer.pool].max(axis=(0, 1))
                        for c in range(side)
                    ]
                    for r in range(side)
                ]
            )
        else:
            x = x.ravel() @ w + b
        if i < len(net.layers) - 1:
            x = np.maximum(x, 0)
    return x


LAYER = st.builds(
    Layer,
    kind=st.just("conv"),
    outputs=st.integers(1, 4),
    width=st.sampled_from((1, 3, 5)),
    stride=st.integers(1, 2),
    pool=st.integers(1, 2),
)


@given(st.lists(LAYER, max_size=2), st.integers(1, 2), st.integers(9, 12), st.integers(0, 1000))
def test_it_agrees_with_the_definition(convs, dense, size, seed):
    layers = (*convs, *[Layer(kind="dense", outputs=k + 2) for k in range(dense)])
    try:
        net = network(layers, size, seed)
    except ValueError as error:
        assert "nothing is left" in str(error)
        return
    pictures = np.random.default_rng(seed).random((2, size, size, 3), np.float32)
    wanted = [by_hand(net, picture) for picture in pictures]
    assert net.scores(pictures) == pytest.approx(np.array(wanted), rel=1e-3, abs=1e-3)


def test_many_pictures_are_the_same_as_one_by_one():
    net, pictures = network(), np.random.default_rng(1).random((600, 8, 8, 3), np.float32)
    together = net.scores(pictures)
    assert together.shape == (600, 3)
    assert together[[0, 300, 599]] == pytest.approx(net.scores(pictures[[0, 300, 599]]), rel=1e-4, abs=1e-5)
    assert net.scores(pictures[:0]).shape == (0, 3)


def test_the_usual_network_is_small():
    shapes = weight_shapes((*hidden_layers(), Layer(kind="dense", outputs=3)), 32)
    assert sum(int(np.prod(shape)) for pair in shapes for shape in pair) == 22931


@pytest.mark.parametrize(
    ("layers", "words"),
    [
        ((), "not \\[\\]"),
        (LAYERS[:1], "at least one"),
        ((LAYERS[1], *LAYERS), "then dense"),
        ((*LAYERS[:1] * 3, LAYERS[1]), "nothing is left of pictures of 8 pixels after layer 2"),
    ],
)
def test_layers_that_make_no_network_are_refused(layers, words):
    with pytest.raises(ValueError, match=words):
        weight_shapes(layers, 8)


def test_numbers_that_do_not_fit_are_refused():
    net = network()
    with pytest.raises(ValueError, match=r"weights of layer 1 are float32\[27, 4\], not float64"):
        Network(net.layers, 8, tuple(w.astype(float) for w in net.weights), net.biases)
    with pytest.raises(ValueError, match=r"biases of layer 2 are float32\[3\], not float32\[4\]"):
        Network(net.layers, 8, net.weights, (net.biases[0], net.biases[0]))
    with pytest.raises(ValueError, match="2 layers have 1 weights"):
        Network(net.layers, 8, net.weights[:1], net.biases)
    with pytest.raises(ValueError, match="not a finite number"):
        Network(net.layers, 8, (net.weights[0] * np.float32("nan"), net.weights[1]), net.biases)
    with pytest.raises(ValueError, match=r"pictures are float\[n, 8, 8, 3\], not \[1, 9, 9, 3\]"):
        net.scores(np.zeros((1, 9, 9, 3)))
