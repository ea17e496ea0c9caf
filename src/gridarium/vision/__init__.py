"""Vision: pictures of cells, a simulated bad camera, and a classifier that gives the probability of each class.

    from gridarium.vision import Classifier

    classifier = Classifier.load()

Its likelihoods go into filters (`gridarium.beliefs`), its measured readings into sensors of the rules.
"""

from gridarium.vision.calibration import Quality
from gridarium.vision.camera import Camera, disturb
from gridarium.vision.cell_pictures import Scene
from gridarium.vision.classifier import Classifier
from gridarium.vision.model_file import ModelError
from gridarium.vision.readings import Readings, classes_on, read
from gridarium.vision.subjects import Subjects, ghost_subjects, subjects_of

__all__ = [
    "Camera",
    "Classifier",
    "ModelError",
    "Quality",
    "Readings",
    "Scene",
    "Subjects",
    "classes_on",
    "disturb",
    "ghost_subjects",
    "read",
    "subjects_of",
]
