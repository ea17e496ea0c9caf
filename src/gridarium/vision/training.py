"""Training a classifier in PyTorch (`gridarium[torch]`), with pictures that are drawn again for each epoch."""

from __future__ import annotations

import contextlib
import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from gridarium.vision.calibration import Quality, best_temperature, log_loss, softmax
from gridarium.vision.camera import disturb
from gridarium.vision.cell_pictures import SIZE
from gridarium.vision.classifier import Classifier
from gridarium.vision.model_file import Card, Level
from gridarium.vision.network import Layer, Network, hidden_layers
from gridarium.vision.readings import LEVELS, read
from gridarium.vision.subjects import Subjects

Labelled = tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]
STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0)
"""At which strengths a classifier is measured; it is trained on all up to the last one."""


@dataclass(frozen=True)
class Settings:
    """The settings of a training.

    Attributes:
        seed: of pictures, first weights and order.
        epochs: at most.
        pictures: of an epoch.
        validation: pictures to see when to stop, of each strength.
        test: pictures to find temperatures, and as many others to measure the result, of each strength.
        batch: pictures of a step.
        rate: the learning rate at first; it falls to nothing along a cosine.
        patience: after so many epochs without a better validation loss it stops.
        size: the side of pictures in pixels.
        priors: how frequent each class is; None for all alike.

    Raises:
        ValueError: a number outside what makes sense.
    """

    seed: int = 0
    epochs: int = 40
    pictures: int = 10_000
    validation: int = 1_000
    test: int = 8_000
    batch: int = 64
    rate: float = 3e-3
    patience: int = 6
    size: int = SIZE
    priors: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("epochs", "pictures", "validation", "test", "batch", "patience", "rate"):
            if getattr(self, name) <= 0:
                raise ValueError(f"{name} is above 0, got {getattr(self, name)}")
        given = self.priors
        if given is not None and not (min(given) > 0 and math.isclose(sum(given), 1, abs_tol=1e-6)):
            raise ValueError(f"priors are above 0 and add up to 1, got {given}")


@dataclass(frozen=True)
class Epoch:
    """The progress after an epoch: losses in nats, and the accuracy in validation."""

    number: int
    training_loss: float
    validation_loss: float
    accuracy: float


@dataclass
class Trained:
    """The result of a training.

    Attributes:
        classifier: the best one.
        epochs: how it went.
        best: which epoch the classifier is of.
        qualities: how good it is at each strength, on pictures that it has never seen.
    """

    classifier: Classifier
    epochs: list[Epoch]
    best: int
    qualities: dict[float, Quality] = field(default_factory=dict)


def sample(
    subjects: Subjects, count: int, strength: float | npt.NDArray[np.float64], rng: np.random.Generator,
    size: int = SIZE, priors: tuple[float, ...] | None = None,
) -> Labelled:  # fmt: skip
    """Disturbed pictures, float32[count, size, size, 3], and their classes, int64[count]."""
    clean, labels = subjects.draw(count, rng, size=size, priors=priors)
    return disturb(clean, strength, rng), labels


def train(
    subjects: Subjects, settings: Settings | None = None, watch: Callable[[Epoch], None] = lambda _: None
) -> Trained:
    """Train a classifier.

    The same settings give the same classifier on the same machine. PyTorch's global random numbers are left alone.

    Args:
        subjects: what to distinguish.
        settings: how.
        watch: called after each epoch.

    Raises:
        ImportError: PyTorch is missing.
        ValueError: other priors than classes.
    """
    settings = settings or Settings()
    classes = subjects.classes
    if settings.priors is not None and len(settings.priors) != len(classes):
        raise ValueError(
            f"there are {len(classes)} classes ({', '.join(classes)}), and priors {settings.priors}"
        )
    layers = (*hidden_layers(), Layer(kind="dense", outputs=len(classes)))
    pictures, validation, test = (
        np.random.default_rng(s) for s in np.random.SeedSequence(settings.seed).spawn(3)
    )
    known = [(s, _sample(subjects, settings, settings.validation, s, validation)) for s in STRENGTHS]
    best, epochs, network = math.inf, [], None
    for epoch, module in _epochs(layers, subjects, settings, pictures, known):
        epochs.append(epoch)
        watch(epoch)
        if epoch.validation_loss < best:
            best, network = epoch.validation_loss, _network(module, layers, settings.size)
        elif epoch.number - 1 - int(np.argmin([e.validation_loss for e in epochs])) >= settings.patience:
            break
    if network is None:
        raise ValueError("training has not come to anything: the loss was never finite; try a lower rate")
    measured = [_measured(network, subjects, settings, strength, test) for strength in STRENGTHS]
    priors = settings.priors or (1 / len(classes),) * len(classes)
    card = Card(
        subjects=subjects.name, classes=classes, class_priors=priors, size=settings.size, layers=layers,
        levels=tuple(level for level, _ in measured),
        training={**_plain(settings), "epochs_run": len(epochs), "parameters": network.parameters},
    )  # fmt: skip
    qualities = {level.strength: quality for level, quality in measured}
    chosen = int(np.argmin([e.validation_loss for e in epochs])) + 1
    return Trained(Classifier(network, card), epochs, chosen, qualities)


def _plain(settings: Settings) -> dict[str, Any]:
    return {name: value for name, value in asdict(settings).items() if name not in ("size", "priors")}


def _sample(
    subjects: Subjects, settings: Settings, count: int, strength: Any, rng: np.random.Generator
) -> Labelled:
    return sample(subjects, count, strength, rng, settings.size, settings.priors)


def _epochs(
    layers: tuple[Layer, ...], subjects: Subjects, settings: Settings, rng: np.random.Generator,
    known: list[tuple[float, Labelled]],
) -> Iterator[tuple[Epoch, Any]]:  # fmt: skip
    """Train, and give the network after each epoch."""
    torch = torch_module()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        module = _module(layers, settings.size)
    steps = settings.epochs * -(-settings.pictures // settings.batch)
    optimizer = torch.optim.AdamW(module.parameters(), settings.rate, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    loss_of = torch.nn.CrossEntropyLoss()
    for number in range(1, settings.epochs + 1):
        strengths = rng.uniform(0, STRENGTHS[-1], settings.pictures)
        x, y = map(torch.from_numpy, _sample(subjects, settings, settings.pictures, strengths, rng))
        total = 0.0
        with _one_thread(torch):
            for i in range(0, len(y), settings.batch):
                part = slice(i, i + settings.batch)
                loss = loss_of(module(x[part].permute(0, 3, 1, 2)), y[part])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                schedule.step()
                total += loss.item() * len(y[part])
        network = _network(module, layers, settings.size)
        judged = [(softmax(network.scores(pictures)), labels) for _, (pictures, labels) in known]
        losses = [log_loss(shares, labels) for shares, labels in judged]
        right = [(shares.argmax(axis=1) == labels).mean() for shares, labels in judged]
        yield Epoch(number, total / len(y), float(np.mean(losses)), float(np.mean(right))), module


def _measured(
    network: Network, subjects: Subjects, settings: Settings, strength: float, rng: np.random.Generator
) -> tuple[Level, Quality]:  # fmt: skip
    """The temperature by pictures that are new, everything else by others that are."""
    pictures, labels = _sample(subjects, settings, settings.test, strength, rng)
    temperature = best_temperature(network.scores(pictures), labels)
    pictures, labels = _sample(subjects, settings, settings.test, strength, rng)
    shares = softmax(network.scores(pictures), temperature)
    quality = Quality.of(shares, labels)
    n = len(subjects.classes)
    counts = np.bincount(labels * n * LEVELS + read(shares), minlength=n * n * LEVELS).reshape(n, -1)
    level = Level(
        strength=strength, temperature=round(temperature, 4), accuracy=round(quality.accuracy, 5),
        log_loss=round(quality.log_loss, 5), calibration_error=round(quality.calibration_error, 5),
        readings=tuple(map(tuple, counts.tolist())),
    )  # fmt: skip
    return level, quality


@contextlib.contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    """Let PyTorch use one thread: so small a network is not faster on more, and sums would depend on their number."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def torch_module() -> Any:
    """PyTorch.

    Raises:
        ImportError: it is not installed.
    """
    try:
        import torch
    except ImportError as error:
        raise ImportError("training needs PyTorch; install gridarium[torch]") from error
    return torch


def _module(layers: tuple[Layer, ...], size: int) -> Any:
    """The network as PyTorch has it."""
    from torch import nn

    made: list[Any] = []
    channels, side = 3, size
    for i, layer in enumerate(layers):
        if layer.kind == "conv":
            made.append(nn.Conv2d(channels, layer.outputs, layer.width, layer.stride, layer.width // 2))
            made += [nn.MaxPool2d(layer.pool)] * (layer.pool > 1)
            side = layer.shrunk(side)
        else:
            made += [nn.Flatten()] * (side > 0)
            made.append(nn.Linear(channels * max(side, 1) ** 2, layer.outputs))
            side = 0
        made += [nn.ReLU()] * (i < len(layers) - 1)
        channels = layer.outputs
    return nn.Sequential(*made)


def _network(module: Any, layers: tuple[Layer, ...], size: int) -> Network:
    """A copy of a network's numbers, in the order in which plain arrays want them."""
    parts = [part for part in module if hasattr(part, "weight")]
    weights, biases, channels, side = [], [], 3, size
    for layer, part in zip(layers, parts, strict=True):
        numbers = part.weight.detach().numpy()
        if layer.kind == "conv":
            numbers, side = numbers.reshape(layer.outputs, -1), layer.shrunk(side)
        elif side:
            shaped = numbers.reshape(layer.outputs, channels, side, side)
            numbers, side = shaped.transpose(0, 2, 3, 1).reshape(layer.outputs, -1), 0
        weights.append(np.ascontiguousarray(numbers.T))
        biases.append(copy.copy(part.bias.detach().numpy()))
        channels = layer.outputs
    return Network(layers, size, tuple(weights), tuple(biases))
