"""Agents of the ghost world, with CustomGridEnv's names."""

from gridarium.ghost.agents.adversarial_agents import AdversarialAgent, ExpectimaxAgent, MinimaxAgent
from gridarium.ghost.agents.base_agent import Agent, BaseAgent
from gridarium.ghost.agents.chase_ghost_agent import ChaseGhostAgent
from gridarium.ghost.agents.q_learning_agent import QLearningAgent
from gridarium.ghost.agents.random_ghost_agent import RandomGhostAgent
from gridarium.ghost.agents.random_player_agent import RandomPlayerAgent
from gridarium.ghost.agents.value_iteration_agent import ValueIterationAgent

__all__ = [
    "AdversarialAgent",
    "Agent",
    "BaseAgent",
    "ChaseGhostAgent",
    "ExpectimaxAgent",
    "MinimaxAgent",
    "QLearningAgent",
    "RandomGhostAgent",
    "RandomPlayerAgent",
    "ValueIterationAgent",
]
