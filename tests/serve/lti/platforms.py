"""A learning platform made by others, `lti1p3platform`, with routes of ours; and its judge.

The library is lax with what a tool sends. What it should refuse and doesn't, `Platform` refuses.
"""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.membership import Context
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request as LtiRequest
from lti1p3platform.score import UpdateScoreStatus
from lti1p3platform.service_connector import AssignmentsGradesService, NamesRoleProvisioningService
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from autograder.serve.lti.claims import INSTRUCTOR, LEARNER, TA

LMS, TOOL = "https://lms.example", "https://homework.example"
CLIENT, DEPLOYMENT, COURSE = "client-1", "1", "course-9"
LINK, LINE_ITEM = "link-1", f"{LMS}/items/7/lineitem?type_id=3"  # a query, as Moodle's have
_SCOPES = "https://purl.imsglobal.org/spec/lti-"


@dataclass(frozen=True)
class User:
    id: str
    name: str
    role: str = LEARNER
    email: str = ""
    section: str = ""
    status: str = "Active"


ADA = User("u-1", "Ada Lovelace", email="ada@example.edu")
BOB = User("u-2", "Bob Noyce", email="bob@example.edu", section="Lab B")
GRACE = User("u-8", "Grace Hopper", INSTRUCTOR, "grace@example.edu")
TIM = User("u-9", "Tim Lee", TA, "tim@example.edu")


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


def keys_of_a_tool() -> Callable[..., rsa.RSAPrivateKey]:
    """Return what makes the keys of one tool: the first is that of all, for it takes time.

    No tool meets another one.
    """
    ready = iter([_first_of_a_tool()])
    return lambda *_: next(ready, None) or new_key()


_first_of_a_tool = cache(new_key)
_LOAD = serialization.load_pem_private_key


@cache
def _loaded(raw: bytes, password: bytes | None) -> Any:
    return _LOAD(raw, password)


def load_once(raw: bytes, password: bytes | None = None, **_: Any) -> Any:
    """Load a key, as `load_pem_private_key` does: it checks for 30 ms that two primes are primes.

    Libraries do so for each token that they sign.
    """
    return _loaded(bytes(raw), password)


def pem(key: rsa.RSAPrivateKey) -> str:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()


def public_pem(key: rsa.RSAPrivateKey) -> str:
    return (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )


class Config(LTI1P3PlatformConfAbstract):
    def init_platform_config(self, registration: Registration) -> None:
        self._registration = registration

    def get_registration_by_params(self, **_: Any) -> Registration:
        raise NotImplementedError


class _Request(LtiRequest):
    def build_metadata(self, request: Any) -> Any:
        return request


class _Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, *, hint: str) -> None:
        self._lti_message_hint = hint

    def get_redirect(self, url: str) -> str:
        return url


class _Launch(LTIAdvantageMessageLaunchAbstract):
    def render_launch_form(self, launch_data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return launch_data


@dataclass
class Platform:
    """One platform with one course; tests look at what arrived, and change what it is."""

    lms: str = LMS
    tool: str = TOOL
    tool_keys: Any = None  # what the tool publishes: set by whoever starts it
    key: rsa.RSAPrivateKey = field(default_factory=cache(new_key))
    users: dict[str, User] = field(
        default_factory=lambda: {each.id: each for each in (ADA, BOB, GRACE, TIM)}
    )
    assignment: str = "toys"
    line_item: str | None = LINE_ITEM
    page: int = 50  # members a page
    custom: dict[str, str] = field(default_factory=dict)
    returned: list[dict[str, Any]] = field(default_factory=list)  # content items
    scores: list[dict[str, Any]] = field(default_factory=list)
    columns: list[dict[str, Any]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # of the tool, which the library overlooks
    fetched_keys: int = 0
    is_down: bool = False
    tells_life: bool = True  # of a token
    registered: dict[str, Any] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)

    @property
    def config(self) -> Config:
        registration = (
            Registration()
            .set_iss(self.lms)
            .set_client_id(CLIENT)
            .set_deployment_id(DEPLOYMENT)
            .set_launch_url(f"{self.tool}/lti/launch")
            .set_deeplink_launch_url(f"{self.tool}/lti/launch")
            .set_oidc_login_url(f"{self.tool}/lti/login")
            .set_platform_public_key(public_pem(self.key))
            .set_platform_private_key(pem(self.key))
            .set_tool_key_set(self.tool_keys() if self.tool_keys else None)
        )
        return Config(registration=registration)

    def initiate(self, user: User, hint: str = LINK) -> str:
        """Return the address that a link of the platform leads to."""
        login = _Login(None, self.config)
        login.set_lti_message_hint(hint=hint)
        return str(login.initiate_login(user.id))

    def form(self, asked: dict[str, str]) -> dict[str, str]:
        """Return the form that a browser posts to the tool, from what the tool asked for."""
        user, hint = self.users[asked["login_hint"]], asked["lti_message_hint"]
        launch = _Launch(_Request({"get_data": asked}), self.config)
        launch.set_user_data(user.id, user.role.split(), user.name, user.email)
        launch.set_launch_context_claim(COURSE, context_title="Attention")
        launch.set_nrps(f"{self.lms}/courses/9/members")
        launch.set_ags(f"{self.lms}/courses/9/items", self.line_item)
        if hint == "choose":
            launch.set_dl(f"{self.lms}/chosen", extra_data={"csrf": "kept"})
        else:
            launch.set_resource_link_claim(hint, title="Homework")
            launch.set_custom_parameters_claim({"assignment": self.assignment} | self.custom)
        assert asked["redirect_uri"] == f"{self.tool}/lti/launch", "the library sends it anywhere"
        made: dict[str, str] = launch.lti_launch()
        return made

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/auth", self._auth),
                Route("/keys", self._keys),
                Route("/token", self._token, methods=["POST"]),
                Route("/courses/9/members", self._members),
                Route("/courses/9/items", self._items, methods=["POST"]),
                Route("/items/{item}/lineitem/scores", self._score, methods=["POST"]),
                Route("/chosen", self._chosen, methods=["POST"]),
                Route("/course", self._course),
                Route("/open/{user}/{hint}", self._open),
                Route("/.well-known/openid-configuration", self._configuration),
                Route("/register", self._register, methods=["POST"]),
            ]
        )

    async def _course(self, request: Request) -> Response:
        """Show the course as a page, with the link in a frame if that is asked for."""
        link = f"/open/{request.query_params.get('user', ADA.id)}/{LINK}"
        scores = "".join(
            f"<li>{self.users[each['userId']].name}: {each.get('scoreGiven', 0):g} "
            f"({each['gradingProgress']})"
            for each in self.scores
        )
        frame = f'<iframe src="{link}" width="900" height="300"></iframe>'
        return HTMLResponse(
            "<title>Attention</title><h1>A learning platform: Attention</h1>"
            + (frame if "frame" in request.query_params else f'<a href="{link}">Homework</a>')
            + f"<h2>Gradebook</h2><ul>{scores or '<li>nothing yet'}</ul>"
        )

    async def _open(self, request: Request) -> Response:
        user = self.users[request.path_params["user"]]
        return RedirectResponse(self.initiate(user, request.path_params["hint"]))

    async def _auth(self, request: Request) -> Response:
        form = self.form(dict(request.query_params))
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{form[name]}">'
            for name in ("state", "id_token")
        )
        return HTMLResponse(
            f'<form method="post" action="{form["launch_url"]}">{fields}</form>'
            "<script>document.forms[0].submit()</script>"
        )

    async def _keys(self, _: Request) -> Response:
        self.fetched_keys += 1
        return JSONResponse(self.config.get_jwks())

    async def _token(self, request: Request) -> Response:
        form = {name: one for name, (one,) in parse_qs((await request.body()).decode()).items()}
        claims = jwt.decode(form["client_assertion"], options={"verify_signature": False})
        kind = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        self._judge(form["client_assertion_type"] == kind, "the type of the assertion")
        self._judge(claims["aud"] == f"{self.lms}/token", "the audience of the assertion")
        self._judge(claims["iss"] == claims["sub"] == CLIENT, "who made the assertion")
        self._judge(claims["jti"] not in self._seen, "an assertion comes twice")
        self._judge(0 < claims["exp"] - claims["iat"] <= 3600, "the life of the assertion")
        self._judge(abs(claims["iat"] - time.time()) < 60, "the time of the assertion")
        self._seen.add(claims["jti"])
        given = self.config.get_access_token(form)
        if not self.tells_life:
            del given["expires_in"]
        return JSONResponse(given)

    async def _members(self, request: Request) -> Response:
        self._judge_scope(request, "nrps/scope/contextmembership.readonly")
        first = int(request.query_params.get("from", 0))
        answer = _Members(self, await _asked(request, {}), first).handle_get_members()
        headers = {}
        if first + self.page < len(self.users):
            query = dict(request.query_params) | {"from": first + self.page}
            following = f"/courses/9/members?{urlencode(query)}"
            headers = {"Link": f'<{self.lms}/first>; rel="first", <{following}>; rel="next"'}
        return JSONResponse(answer.result, answer.code, headers)

    async def _items(self, request: Request) -> Response:
        self._judge_scope(request, "ags/scope/lineitem")
        answer = _Grades(self, await _asked(request, await request.json())).handle_create_lineitem()
        return JSONResponse(answer.result, answer.code)

    async def _score(self, request: Request) -> Response:
        if self.is_down:
            return Response(status_code=503)
        self._judge_scope(request, "ags/scope/score")
        kind = request.headers["content-type"]
        self._judge(kind == "application/vnd.ims.lis.v1.score+json", "the type of a score")
        said = json.loads(await request.body())
        self._judge(said["userId"] in self.users, "whose score it is")
        self._judge(said.get("scoreGiven", 0) >= 0, "a score below 0")
        self._judge("scoreGiven" not in said or said["scoreMaximum"] > 0, "a score out of nothing")
        earlier = [old["timestamp"] for old in self.scores if old["userId"] == said["userId"]]
        self._judge(all(old < said["timestamp"] for old in earlier), "an older score comes later")
        answer = _Grades(self, await _asked(request, said)).handle_update_score(
            request.path_params["item"]
        )
        return JSONResponse(None, answer.code)

    async def _chosen(self, request: Request) -> Response:
        form = await request.form()
        claims = jwt.decode(str(form["JWT"]), options={"verify_signature": False})
        self._judge(claims["iss"] == CLIENT and claims["aud"] == self.lms, "whom a choice is for")
        data = claims["https://purl.imsglobal.org/spec/lti-dl/claim/data"]
        self._judge(data == {"csrf": "kept"}, "the platform's own data")
        self.returned += self.config.validate_deeplinking_resp(form)
        return HTMLResponse("chosen")

    async def _configuration(self, _: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.lms,
                "authorization_endpoint": f"{self.lms}/auth",
                "token_endpoint": f"{self.lms}/token",
                "jwks_uri": f"{self.lms}/keys",
                "registration_endpoint": f"{self.lms}/register",
            }
        )

    async def _register(self, request: Request) -> Response:
        assert request.headers["authorization"] == "Bearer registration-token"
        self.registered = await request.json()
        tool = self.registered["https://purl.imsglobal.org/spec/lti-tool-configuration"]
        tool = tool | {"deployment_id": DEPLOYMENT}
        return JSONResponse(
            self.registered
            | {
                "client_id": CLIENT,
                "https://purl.imsglobal.org/spec/lti-tool-configuration": tool,
            }
        )

    def _judge(self, is_right: bool, what: str) -> None:
        if not is_right:
            self.faults.append(what)

    def _judge_scope(self, request: Request, scope: str) -> None:
        """The library lets any of its tokens do anything."""
        token = request.headers["authorization"].removeprefix("Bearer ")
        claims = jwt.decode(token, options={"verify_signature": False})
        self._judge(claims["scopes"] == _SCOPES + scope, f"the scope for {scope}")


class _Members(NamesRoleProvisioningService):
    def __init__(self, platform: Platform, request: LtiRequest, first: int) -> None:
        super().__init__(request, platform.config, f"{platform.lms}/courses/9/members")
        self._platform, self._first = platform, first

    def get_context_by_id(self) -> Context:
        return Context(COURSE, "ATT", "Attention")

    def is_resource_link_valid(self, context_id: str, resource_link_id: str) -> bool:
        return (context_id, resource_link_id) == (COURSE, LINK)

    def get_member_data_page(self, **query: Any) -> Any:
        users = list(self._platform.users.values())[self._first :][: self._platform.page]
        content = [
            {
                "user_id": each.id,
                "roles": each.role.split(),
                "name": each.name,
                "email": each.email,
                "status": each.status,
            }
            | (_custom(each) if "rlid" in query else {})
            for each in users
        ]
        return {"content": content, "has_next": False}


def _custom(user: User) -> dict[str, Any]:
    said = {"section": user.section or "$com.instructure.User.sectionNames"}
    return {"message": [{"https://purl.imsglobal.org/spec/lti/claim/custom": said}]}


class _Grades(AssignmentsGradesService):
    def __init__(self, platform: Platform, request: LtiRequest) -> None:
        super().__init__(
            request, platform.config, f"{platform.lms}/courses/9/items", platform.line_item
        )
        self._platform = platform

    def create_lineitem(self, creation_data: Any) -> Any:
        self._platform.columns.append(creation_data)
        return creation_data | {"id": LINE_ITEM}

    def update_score(self, line_item_id: str, score: Any) -> UpdateScoreStatus:
        assert line_item_id == "7"
        self._platform.scores.append(score)
        return UpdateScoreStatus.SUCCESS

    def _no(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    find_lineitems = find_lineitem = update_lineitem = delete_lineitem = get_results = _no


async def _asked(request: Request, body: Any) -> LtiRequest:
    return _Request(
        {
            "method": request.method,
            "get_data": dict(request.query_params),
            "headers": {"Authorization": request.headers["authorization"]},
            "json": body,
        }
    )


def query_of(address: str) -> dict[str, str]:
    return {name: one for name, (one,) in parse_qs(urlsplit(address).query).items()}
