"""Beliefs: what can be known of a world from noisy measurements. Exact filters, particle filters, looking back."""

from gridarium.beliefs.belief import Impossible, entropy
from gridarium.beliefs.comparison import Comparison, Walks, compare, random_walks
from gridarium.beliefs.places.bayes_filter import BayesFilter
from gridarium.beliefs.places.joint_filter import JointParticleFilter
from gridarium.beliefs.places.model import PlaceModel
from gridarium.beliefs.places.motion import Motion, exact_motion, sampled_motion
from gridarium.beliefs.places.particle_filter import RECOVERY, Adaptive, ParticleFilter
from gridarium.beliefs.places.place_belief import Estimate
from gridarium.beliefs.places.places import Places
from gridarium.beliefs.places.smoothing import Smoothed, forward_backward, most_likely_path
from gridarium.beliefs.resampling import (
    effective_sample_size,
    kld_sample_size,
    multinomial_resample,
    residual_resample,
    stratified_resample,
    systematic_resample,
)
from gridarium.beliefs.states.state_filter import StateFilter

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
