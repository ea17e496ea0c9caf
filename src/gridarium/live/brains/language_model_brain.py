"""A brain that asks a language model."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Mapping
from typing import Any, Protocol

from gridarium.live.brains.action_arguments import Reach, choices
from gridarium.live.brains.agent_brain import AgentBrain, Decision
from gridarium.live.brains.situation_text import describe, list_options
from gridarium.live.messages import Message
from gridarium.live.perception import State

MOST_OPTIONS = 200
LONGEST_PAUSE = 64
LONGEST_SAYING = 1000
"""Characters of a message."""
log = logging.getLogger(__name__)

ANSWERING = (
    "You control one agent in a grid world. Each time you are told what it perceives and what it can do. Answer with the "
    'number of one option and nothing else, or, to also send a message, with JSON: {"action": number, "say": text, '
    '"to": id}, where "to" is the id of an agent, the name of your team, or null for everybody.'
)


class ChatClient(Protocol):
    """Speaks with a language model, as `gridarium.ghost.planning.llm.LLMClient` does by OpenAI's chat protocol."""

    def chat_completion(self, messages: list[dict[str, str]]) -> str:
        """The model's answer to a conversation of {"role": ..., "content": ...}."""


class InvalidReply(ValueError):
    """A reply of the model that is no choice of an option; the message says why."""


CLIENT_KEYS = {
    "model": "llm", "address": "address", "service": "api_choice", "max_tokens": "max_tokens", "temperature": "temperature",
    "timeout": "timeout",
}  # fmt: skip
"""The arguments of `LLMClient` by their names in mappings."""


def _client_of(given: Any) -> ChatClient:
    """A client as it is given, or of a mapping.

    Raises:
        ValueError, TypeError: see `LanguageModelBrain`.
    """
    if isinstance(given, Mapping):
        if unknown := sorted(given.keys() - CLIENT_KEYS.keys()):
            raise ValueError(f"client has no {unknown[0]!r}; it has {', '.join(CLIENT_KEYS)}")
        if "model" not in given:
            raise ValueError("client needs 'model', the name of a model")
        from gridarium.ghost.planning.llm import LLMClient  # its package imports Gymnasium

        return LLMClient(**{CLIENT_KEYS[key]: value for key, value in given.items()})
    if callable(getattr(given, "chat_completion", None)):
        client: ChatClient = given
        return client
    raise TypeError(
        f"client speaks with a model: an object with chat_completion, or a mapping of {', '.join(CLIENT_KEYS)}; not {given!r}"
    )


class LanguageModelBrain(AgentBrain):
    """Tells a language model what the agent perceives and can do, and does what it chooses.

    The model is asked in a thread of its own. The world waits for it at most `wait` seconds in a tick; until the answer is
    there, the agent idles. What is chosen is asked again whether it is still possible. The model's reply is a number from
    the list that it was given, or JSON as the instructions say; anything else is not acted upon: the agent idles,
    and the reason is logged (to `logging`, and by `get_log_data`). After failures it is asked less and less often, every
    64th time at the least.

    What other agents and people say becomes part of what the model reads, so they can influence what it chooses; it can
    choose only from the agent's possible actions, and only text is sent.

    Args:
        client: speaks with the model. `LLMClient("model", address="http://localhost:11434/v1")` is one for any service with
            OpenAI's chat protocol; so is {"model": "model", "address": "http://localhost:11434/v1"}, which files can say, with
            `service`, `max_tokens`, `temperature` and `timeout`, too. A key comes from the service's environment variable.
        instructions: what the agent is to do, in words.
        wait: for how many seconds the world waits for an answer in each tick.
        history: how many of the last questions and answers the model is told again.
        reach: the ranges of the agent's actions, also as a mapping.
        most_objects: the most objects that are described, the nearest.
        memorize_for_ticks: as for `AgentBrain`.

    Attributes:
        reason: why the agent idles, or what was chosen; "" before the first decision.
        thinking: whether an answer is awaited.

    Raises:
        ValueError: a number below 0, or a client or reach with something unknown; see also `LLMClient`.
        TypeError: the client is something else.

    Example:
        >>> from gridarium.ghost.planning.llm import LLMClient
        >>> client = LLMClient("llama3.2", address="http://localhost:11434/v1")
        >>> brain = LanguageModelBrain(client, "Bring the red blocks to the drop zone.", wait=2.0)
    """

    def __init__(
        self,
        client: ChatClient | Mapping[str, Any],
        instructions: str = "",
        *,
        wait: float = 0.0,
        history: int = 0,
        reach: Reach | Mapping[str, Any] | None = None,
        most_objects: int = 40,
        memorize_for_ticks: int | None = None,
    ) -> None:
        for name, number in (("wait", wait), ("history", history), ("most_objects", most_objects)):
            if not number >= 0:
                raise ValueError(f"{name} is 0 or more, not {number!r}")
        self.client, self.instructions, self.wait, self.history = (
            _client_of(client),
            instructions,
            wait,
            history,
        )
        self.reach = Reach(**reach) if isinstance(reach, Mapping) else reach or Reach()
        self.most_objects = most_objects
        super().__init__(memorize_for_ticks)

    def _begin(self) -> None:
        super()._begin()
        self.reason = self._reply = ""
        self._question: _Question | None = None
        self._failures = self._pause = 0
        self._past: list[dict[str, str]] = []

    @property
    def thinking(self) -> bool:
        """See the class."""
        return self._question is not None

    def decide_on_action(self, state: State) -> Decision:
        """Ask the model, or look whether it has answered."""
        if self._question is None:
            if self._pause > 0:
                self._pause -= 1
                return None, {}
            self._question = self._ask_model(state)
        question = self._question
        if not question.answered.wait(self.wait):
            self.reason = "waits for an answer"
            return None, {}
        self._question = None
        try:
            decision = self._choose(question)
        except InvalidReply as error:
            self._failures += 1
            self._pause = min(1 << min(self._failures - 1, 10), LONGEST_PAUSE) - 1
            self.reason = str(error)
            log.warning("agent %s idles: %s", self.agent_id, self.reason)
            return None, {}
        self._failures = 0
        return decision

    def get_log_data(self) -> dict[str, Any]:
        """The reason of the last decision, and the last reply."""
        return {"reason": self.reason, "reply": self._reply}

    def _ask_model(self, state: State) -> _Question:
        last = ""
        if self.previous_action_result is not None:
            last = f"{self.previous_action or 'wait'}: {self.previous_action_result.result}"
        told = describe(state, self.received_messages, last, self.most_objects)
        self.received_messages.clear()
        options: list[Decision] = [(None, {})]
        for action in self.action_set:
            for kwargs in choices(action, state, self.reach):
                if len(options) < MOST_OPTIONS and self.is_action_possible(action, kwargs)[0]:
                    options.append((action, kwargs))
        text = f"{told}\nYou can:\n{list_options(options)}"
        rules = f"{ANSWERING}\n{self.instructions}".strip()
        asked = {"role": "user", "content": text}
        return _Question(self.client, [{"role": "system", "content": rules}, *self._past, asked], options)

    def _choose(self, question: _Question) -> Decision:
        """What the model has chosen.

        Raises:
            InvalidReply: nothing that can be done.
        """
        self._reply = question.reply
        if question.failure:
            raise InvalidReply(question.failure)
        number, message = _parsed(question.reply, len(question.options), self.agent_id)
        action, kwargs = question.options[number]
        if self.history:
            answered = {"role": "assistant", "content": question.reply}
            self._past = [*self._past, question.messages[-1], answered][-2 * self.history :]
        if message is not None:
            self.send_message(message)
        if action is not None:
            possible, result = self.is_action_possible(action, kwargs)
            if not possible:
                self.reason = f"{action} is no longer possible: {result.result}"
                return None, {}
        self.reason = f"chose {number}: {action or 'wait'}"
        return action, dict(kwargs)


class _Question:
    """A question to the model, which a thread waits for."""

    def __init__(self, client: ChatClient, messages: list[dict[str, str]], options: list[Decision]) -> None:
        self.messages, self.options = messages, options
        self.reply = self.failure = ""
        self.answered = threading.Event()
        threading.Thread(
            target=self._run, args=(client,), daemon=True, name="gridarium-language-model"
        ).start()

    def _run(self, client: ChatClient) -> None:
        try:
            self.reply = client.chat_completion(self.messages)
        except Exception as error:  # whatever goes wrong there, the world goes on
            self.failure = f"{type(error).__name__}: {error}"
        finally:
            self.answered.set()


def _parsed(reply: str, count: int, agent_id: str) -> tuple[int, Message | None]:
    """The number of the chosen option, and what is to be said.

    Raises:
        InvalidReply: it is not of the form that the instructions give.
    """
    text = reply.strip()
    if re.fullmatch(r"[0-9]{1,6}", text):
        return _checked_number(int(text), count), None
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, Mapping):
        raise InvalidReply(f"the reply is neither a number nor a JSON object: {_short(reply)}")
    if "action" not in read or not read.keys() <= {"action", "say", "to"}:
        raise InvalidReply(
            f"the reply has to have action, and may have say and to; it has {_short(', '.join(read))}"
        )
    number, said, to = read["action"], read.get("say"), read.get("to")
    if not isinstance(number, int) or isinstance(number, bool):
        raise InvalidReply(f"action is the number of an option, not {_short(repr(number))}")
    if not isinstance(said, str | None) or not isinstance(to, str | None) or len(said or "") > LONGEST_SAYING:
        raise InvalidReply(f"say and to are texts, say of at most {LONGEST_SAYING} characters")
    message = Message(said, from_id=agent_id, to_id=to) if said else None
    return _checked_number(number, count), message


def _checked_number(number: int, count: int) -> int:
    if not 0 <= number < count:
        raise InvalidReply(f"the options are 0 to {count - 1}; the reply chose {number}")
    return number


def _short(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:100] + "...")
