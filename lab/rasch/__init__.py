"""The Rasch model of persons (ability) and strategies (difficulty to detect), for sparse and repeated judgements."""

from lab.rasch.joint import Joint, fit_joint
from lab.rasch.marginal import Marginal, NotConvergedError, fit_marginal
from lab.rasch.report import Item, Person, RaschReport, Reliability, report
from lab.rasch.responses import Responses, detections, from_arrays, gather

__all__ = [
    "Item",
    "Joint",
    "Marginal",
    "NotConvergedError",
    "Person",
    "RaschReport",
    "Reliability",
    "Responses",
    "detections",
    "fit_joint",
    "fit_marginal",
    "from_arrays",
    "gather",
    "report",
]
