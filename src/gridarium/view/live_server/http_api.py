"""The interface for scripts that steer an experiment, and its description in OpenAPI."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ValidationError
from pydantic.json_schema import models_json_schema
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from gridarium import __version__
from gridarium.view.live_server import protocol
from gridarium.view.live_server.access import Role
from gridarium.view.live_server.api_models import (
    AgentInfo,
    ChatPost,
    Done,
    Failure,
    LinkInfo,
    MessagesInfo,
    PropertiesInfo,
    ResetPost,
    SpeedPost,
    WorldInfo,
)
from gridarium.view.live_server.session import LiveSession
from gridarium.view.web.clock_runner import ClockRunner
from gridarium.view.web.messages import Pause, RequestError, Step, first_error
from gridarium.view.web.serving import HEADERS, page_file

API_PAGE = ("api.html",)
API_FILES = ("api.js", "api.css", "common.css", "appearance.js", "renderer.js")
UNAUTHORIZED = "This needs the experimenter's token: Authorization: Bearer TOKEN."


class Refused(Exception):
    """A request that cannot be handled: a status and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True)
class Endpoint:
    """Something that scripts can ask for.

    Attributes:
        method, path: of HTTP; parts of the path in braces are parameters.
        summary: what it does.
        act: does it.
        takes: what the body has to be; None for no body.
        gives: what comes back.
        parameters: what the parameters in the path are.
    """

    method: str
    path: str
    summary: str
    act: Callable[[Request, Any], Awaitable[BaseModel]]
    takes: type[BaseModel] | None
    gives: type[BaseModel]
    parameters: Mapping[str, str] = field(default_factory=dict)


class HttpApi:
    """What scripts can ask of a session over HTTP, if they have the experimenter's token.

    Args:
        session: the session.
        runner: returns what runs its clock.
    """

    def __init__(self, session: LiveSession, runner: Callable[[], ClockRunner]) -> None:
        self._session, self._runner = session, runner
        an_agent = {"agent_id": "The id of an agent."}
        self.endpoints = (
            Endpoint("GET", "/api/world", "The world, its time, its goals, and its agents.", self._world, None, WorldInfo),
            Endpoint("POST", "/api/start", "Let time go on.", self._control(protocol.StartRun(type="start")), None, Done),
            Endpoint("POST", "/api/pause", "Stop time.", self._control(Pause(type="pause")), None, Done),
            Endpoint("POST", "/api/step", "One tick, and pause.", self._control(Step(type="step")), None, Done),
            Endpoint("POST", "/api/stop", "End the run; only a reset can follow.", self._control(protocol.Stop(type="stop")), None, Done),
            Endpoint("POST", "/api/reset", "Begin again, paused.", self._reset, ResetPost, Done),
            Endpoint("POST", "/api/speed", "Set the seconds from tick to tick.", self._speed, SpeedPost, Done),
            Endpoint("GET", "/api/state", "The properties of all objects and agents.", self._state, None, PropertiesInfo),
            Endpoint("GET", "/api/state/{agent_id}", "The properties of all that an agent perceives.", self._state, None, PropertiesInfo, an_agent),
            Endpoint("GET", "/api/messages", "What is said: in each room the last messages.", self._messages, None, MessagesInfo),
            Endpoint("POST", "/api/messages", "Say something to all agents or to one, as the experimenter.", self._say, ChatPost, Done),
            Endpoint("GET", "/api/links", "The links, and how many pages use them.", self._links, None, LinkInfo),
        )  # fmt: skip

    @property
    def routes(self) -> list[Route]:
        """The routes, with those of the description."""

        async def description(_: Request) -> Response:
            return JSONResponse(openapi(self.endpoints), headers=HEADERS)

        async def page(_: Request) -> Response:
            return page_file("api.html", API_PAGE)

        async def file(request: Request) -> Response:
            return page_file(request.path_params["name"], API_FILES)

        return [
            Route("/openapi.json", description),
            Route("/api/", page),
            *(Route(each.path, self._guarded(each), methods=[each.method]) for each in self.endpoints),
            Route("/api/files/{name}", file),
        ]

    def _guarded(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                self._check_token(request.headers.get("authorization", ""))
                body = await _body(request, endpoint.takes)
                made = await endpoint.act(request, body)
            except Refused as refused:
                failure = Failure(error=str(refused))
                return JSONResponse(failure.model_dump(), refused.status, headers=_headers(refused.status))
            return Response(made.model_dump_json(), media_type="application/json", headers=HEADERS)

        return answer

    def _check_token(self, given: str) -> None:
        kind, _, token = given.partition(" ")
        seat = self._session.links.find(token.strip())
        if kind.lower() != "bearer" or seat is None:
            raise Refused(401, UNAUTHORIZED)
        if seat.role is not Role.EXPERIMENTER:
            raise Refused(403, "Only the experimenter's link allows this.")

    # what can be asked

    async def _world(self, _: Request, __: None) -> WorldInfo:
        session, world = self._session, self._session.world
        return WorldInfo(
            world=session.name,
            tick=world.current_nr_ticks,
            tick_duration=float(world.tick_duration),
            state=session.status["state"],
            failure=session.failure,
            width=world.shape[0],
            height=world.shape[1],
            goals=[protocol.GoalProgress(**goal) for goal in session.status["goals"]],
            agents=[
                AgentInfo(agent_id=agent_id, human=bool(body.is_human_agent), teams=[*body.teams])
                for agent_id, body in [*world.registered_agents.items()]
            ],
        )

    def _control(self, message: protocol.Control) -> Callable[[Request, Any], Awaitable[Done]]:
        async def act(_: Request, __: Any) -> Done:
            return await self._steer(message)

        return act

    async def _steer(self, message: protocol.Control) -> Done:
        def act() -> list[Any]:
            return self._session.control(message)

        runner = self._runner()
        try:
            if self._session.at_once(message):
                act()
            else:
                await runner.in_thread(act)
        except RequestError as refused:
            raise Refused(409, str(refused)) from None
        finally:
            runner.changed()
        return Done(state=self._session.status["state"], tick=self._session.world.current_nr_ticks)

    async def _reset(self, _: Request, body: ResetPost) -> Done:
        return await self._steer(protocol.ResetRun(type="reset", seed=body.seed))

    async def _speed(self, _: Request, body: SpeedPost) -> Done:
        return await self._steer(protocol.SetSpeed(type="speed", tick_duration=body.tick_duration))

    async def _state(self, request: Request, _: None) -> PropertiesInfo:
        agent_id, world = request.path_params.get("agent_id"), self._session.world
        found: list[PropertiesInfo] = []

        def look() -> list[Any]:
            if agent_id is None or agent_id in world.registered_agents:
                objects = {key: plain(each) for key, each in self._session.perceived(agent_id).items()}
                found.append(PropertiesInfo(tick=world.current_nr_ticks, objects=objects))
            return []

        await self._runner().in_thread(look)
        if not found:
            raise Refused(
                404, f"there is no agent {agent_id!r}; there are {', '.join(world.registered_agents)}"
            )
        return found[0]

    async def _messages(self, _: Request, __: None) -> MessagesInfo:
        return MessagesInfo.model_validate({"rooms": self._session.all_rooms()})

    async def _say(self, _: Request, body: ChatPost) -> Done:
        seat = self._session.links.experimenter
        try:
            self._session.say(seat, body.text, room=0 if body.to is None else None, to=body.to)
        except RequestError as refused:
            raise Refused(409, str(refused)) from None
        return Done(state=self._session.status["state"], tick=self._session.world.current_nr_ticks)

    async def _links(self, _: Request, __: None) -> LinkInfo:
        return LinkInfo.model_validate({"links": self._session.people()["links"]})


async def _body(request: Request, takes: type[BaseModel] | None) -> BaseModel | None:
    """The body of a request.

    Raises:
        Refused: it is too long, or not what is wanted.
    """
    got = b""
    async for chunk in request.stream():
        got += chunk
        if len(got) > protocol.LARGEST:
            raise Refused(413, f"a body has at most {protocol.LARGEST} bytes")
    if takes is None:
        return None
    try:
        return takes.model_validate_json(got or b"{}")
    except ValidationError as wrong:
        raise Refused(422, f"this body is not understood: {first_error(wrong)}") from None


def _headers(status: int) -> dict[str, str]:
    return HEADERS | ({"WWW-Authenticate": "Bearer"} if status == 401 else {})


def plain(value: Any) -> Any:
    """Properties as JSON can hold them: numbers that are not finite, and what is no plain data, as texts."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    usable = (
        value is None or isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
    )
    return value if usable else str(value)


def openapi(endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    """The description of endpoints, in OpenAPI 3.1."""
    models: list[type[BaseModel]] = [Failure]
    for each in endpoints:
        models += [model for model in (each.takes, each.gives) if model is not None and model not in models]
    wanted: list[tuple[type[BaseModel], Literal["validation", "serialization"]]] = [
        (model, "serialization") for model in models
    ]
    references, schemas = models_json_schema(wanted, ref_template="#/components/schemas/{model}")

    def content(model: type[BaseModel]) -> dict[str, Any]:
        return {"application/json": {"schema": references[model, "serialization"]}}

    paths: dict[str, dict[str, Any]] = {}
    for each in endpoints:
        refusals = {"401": "No token, or a wrong one.", "403": "Another's token.", **_refusals(each)}
        operation: dict[str, Any] = {
            "summary": each.summary,
            "operationId": f"{each.method.lower()}_{each.path.strip('/').replace('/', '_').translate({123: None, 125: None})}",
            "responses": {
                "200": {"description": each.gives.__doc__ or "", "content": content(each.gives)},
                **{code: {"description": why, "content": content(Failure)} for code, why in refusals.items()},
            },
        }
        if each.takes is not None:
            operation["requestBody"] = {"required": True, "content": content(each.takes)}
        if each.parameters:
            operation["parameters"] = [
                {
                    "name": name,
                    "in": "path",
                    "required": True,
                    "description": text,
                    "schema": {"type": "string"},
                }
                for name, text in each.parameters.items()
            ]
        paths.setdefault(each.path, {})[each.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "A live world of Gridarium",
            "version": f"{protocol.VERSION}",
            "description": f"Steers an experiment. Gridarium {__version__}. The token is the part of the experimenter's "
            "link after `/p/`.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"experimenter": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"experimenter": []}],
    }


def _refusals(endpoint: Endpoint) -> dict[str, str]:
    found = {}
    if endpoint.parameters:
        found["404"] = "There is no such agent."
    if endpoint.gives is Done:
        found["409"] = "It is not possible now."
    if endpoint.takes is not None:
        found["422"] = "The body is not understood."
    return found
