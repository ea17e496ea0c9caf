"""How colors look to people with dichromatic vision, and how far apart two colors look.

The matrices are those of Machado, Oliveira and Fernandes (2009), "A Physiologically-based Model for Simulation of Color
Vision Deficiency", for severity 1, applied to linear RGB.
"""

from typing import Any

import numpy as np

MATRICES = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
_WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(rgb: Any) -> Any:
    """sRGB bytes [..., 3] as linear light, 0 to 1."""
    part = np.asarray(rgb, float) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def seen(rgb: Any, vision: str) -> Any:
    """Bytes [..., 3] as linear light, as somebody sees them."""
    return np.clip(linear(rgb) @ MATRICES[vision].T, 0.0, 1.0)


def lab(light: Any) -> Any:
    """CIE L*a*b* of linear light (D65)."""
    ratio = light @ _TO_XYZ.T / _WHITE
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.stack(
        [116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1
    )


def difference(first: Any, second: Any, vision: str) -> Any:
    """How far apart two colors look (CIE 1976); 2.3 is just noticeable, side by side."""
    return np.linalg.norm(lab(seen(first, vision)) - lab(seen(second, vision)), axis=-1)


def contrast(first: Any, second: Any, vision: str) -> float:
    """The contrast of two colors as WCAG defines it, 1 to 21."""
    dark, light = sorted(float(_TO_XYZ[1] @ seen(rgb, vision)) for rgb in (first, second))
    return (light + 0.05) / (dark + 0.05)
