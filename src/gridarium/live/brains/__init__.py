"""What decides for the agents of live worlds: people, scripts, policies, planners, language models."""

from gridarium.live.brains.action_arguments import Reach
from gridarium.live.brains.action_network import ActionNetwork
from gridarium.live.brains.agent_brain import AgentBrain
from gridarium.live.brains.human_agent_brain import HumanAgentBrain
from gridarium.live.brains.language_model_brain import ChatClient, InvalidReply, LanguageModelBrain
from gridarium.live.brains.navigator import Navigator
from gridarium.live.brains.onnx_policy import onnx_policy
from gridarium.live.brains.path_planner import AStarPlanner, PathPlanner, WeightedAStarPlanner
from gridarium.live.brains.patrolling_agent_brain import PatrollingAgentBrain
from gridarium.live.brains.planner_brain import PlannerBrain
from gridarium.live.brains.policy_brain import PolicyBrain

__all__ = [
    "AStarPlanner",
    "ActionNetwork",
    "AgentBrain",
    "ChatClient",
    "HumanAgentBrain",
    "InvalidReply",
    "LanguageModelBrain",
    "Navigator",
    "PathPlanner",
    "PatrollingAgentBrain",
    "PlannerBrain",
    "PolicyBrain",
    "Reach",
    "WeightedAStarPlanner",
    "onnx_policy",
]
