"""Beliefs: what can be known of a world from noisy measurements. Exact filters, particle filters, looking back."""

from gridarium.beliefs.bayes import BayesFilter, Impossible
from gridarium.beliefs.comparing import Comparison, Walks, compare, random_walks
from gridarium.beliefs.estimates import Estimate, entropy
from gridarium.beliefs.joint import JointParticleFilter
from gridarium.beliefs.model import PlaceModel
from gridarium.beliefs.motion import Motion, exact_motion, sampled_motion
from gridarium.beliefs.particle_filter import RECOVERY, Adaptive, ParticleFilter
from gridarium.beliefs.places import Places
from gridarium.beliefs.resampling import (
    effective_sample_size,
    kld_sample_size,
    multinomial_resample,
    residual_resample,
    stratified_resample,
    systematic_resample,
)
from gridarium.beliefs.smoothing import Smoothed, forward_backward, most_likely_path
from gridarium.beliefs.state_filter import StateFilter

__all__ = [
    "RECOVERY",
    "Adaptive",
    "BayesFilter",
    "Comparison",
    "Estimate",
    "Impossible",
    "JointParticleFilter",
    "Motion",
    "ParticleFilter",
    "PlaceModel",
    "Places",
    "Smoothed",
    "StateFilter",
    "Walks",
    "compare",
    "effective_sample_size",
    "entropy",
    "exact_motion",
    "forward_backward",
    "kld_sample_size",
    "most_likely_path",
    "multinomial_resample",
    "random_walks",
    "residual_resample",
    "sampled_motion",
    "stratified_resample",
    "systematic_resample",
]
