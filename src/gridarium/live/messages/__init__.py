"""Messages between agents, and the rooms that they belong to."""

from gridarium.live.messages.chatroom import Chatroom
from gridarium.live.messages.message import Content, DeliveryFailure, Message
from gridarium.live.messages.message_manager import MessageManager

__all__ = ["Chatroom", "Content", "DeliveryFailure", "Message", "MessageManager"]
