"""A client for language models behind OpenAI's chat protocol."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from typing import Any

ADDRESSES = {
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "gemini": ("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
    "ollama": ("http://localhost:11434/v1", ""),
}
"""The address of each service, and the environment variable of its key; "" if it needs none."""
MAX_ANSWER_BYTES = 1 << 20


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the request's key and messages are for the address that was given, and for no other."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """None: the redirect is an error."""


_OPENER = urllib.request.build_opener(_NoRedirects)


class LLMClient:
    """Asks a language model. Redirects are refused, since the key would be sent along.

    Args:
        llm: the model's name.
        api_choice: "groq", "openai", "gemini" or "ollama"; or pass `address`.
        max_tokens: the maximum length of an answer.
        address: of a service with OpenAI's protocol, such as http://localhost:8000/v1.
        api_key: by default from the service's environment variable.
        temperature: of sampling.
        timeout: seconds.

    Raises:
        ValueError: an unknown service, a malformed address, or no key.
    """

    def __init__(
        self,
        llm: str = "qwen/qwen3-32b",
        api_choice: str = "groq",
        max_tokens: int = 612,
        *,
        address: str | None = None,
        api_key: str | None = None,
        temperature: float = 0.0,
        timeout: float = 60.0,
    ) -> None:
        variable = ""
        if address is None:
            if api_choice not in ADDRESSES:
                raise ValueError(
                    f"api_choice is one of {', '.join(ADDRESSES)} (or pass address=), got {api_choice!r}"
                )
            address, variable = ADDRESSES[api_choice]
        if not address.startswith(("http://", "https://")):
            raise ValueError(f"an address begins with http:// or https://, got {address!r}")
        self.api_key = api_key or (os.environ.get(variable, "") if variable else "")
        if variable and not self.api_key:
            raise ValueError(f"{api_choice} needs a key: set {variable}, or pass api_key=")
        self.llm, self.max_tokens, self.temperature, self.timeout = llm, max_tokens, temperature, timeout
        self.address = address.rstrip("/")

    def chat_completion(self, messages: list[dict[str, str]]) -> str:
        """The model's answer to a conversation of {"role": ..., "content": ...}.

        Raises:
            ConnectionError: there is no answer, or not of the expected form.
        """
        body = {
            "model": self.llm,
            "messages": messages,
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }
        headers = {"Content-Type": "application/json"}
        if self.api_key:
            headers["Authorization"] = f"Bearer {self.api_key}"
        request = urllib.request.Request(
            f"{self.address}/chat/completions", json.dumps(body).encode(), headers, method="POST"
        )
        try:
            with _OPENER.open(request, timeout=self.timeout) as answer:
                read: Any = json.loads(answer.read(MAX_ANSWER_BYTES))
            return str(read["choices"][0]["message"]["content"] or "")
        except (urllib.error.URLError, OSError) as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()  # it holds the answer
            raise ConnectionError(f"{self.address} gives no answer: {error}") from error
        except (ValueError, KeyError, IndexError, TypeError) as error:
            raise ConnectionError(f"{self.address} answers in an unexpected form") from error
