"""The way in: the first page, invitations, another device, and the way out."""

import secrets
from datetime import timedelta

from starlette.responses import Response

from autograder.browsers import redirect
from autograder.serve import invites
from autograder.serve.people import sign_in, sign_out
from autograder.serve.visit import Visit

SOON = timedelta(minutes=15)  # for which a link to another device is good


def welcome(visit: Visit) -> Response:
    if visit.session is None:
        return visit.page("welcome.html", {})
    return redirect("/class" if visit.who.is_staff else "/homework")


def invited(visit: Visit) -> Response:
    who = invites.whose(visit.house.store, visit.request.path_params["secret"])
    said = {"who": who, "form": secrets.token_urlsafe()}
    return visit.page("invited.html", said, 200 if who else 404)


def enter(visit: Visit) -> Response:
    secret, form = visit.request.path_params["secret"], visit.text("form")
    who = invites.use(visit.house.store, secret, form) if form else None
    if who is None:
        return visit.page("invited.html", {"who": None}, 404)
    return sign_in(visit.request, who, "a link")


def leave(visit: Visit) -> Response:
    visit.note("signed out")
    return sign_out(visit.request)


def another_device(visit: Visit) -> Response:
    """Show a link by which the same person signs in elsewhere."""
    link = invites.invite(visit.house.store, visit.who, SOON)
    visit.note("asked for a link to another device")
    minutes = round(SOON.total_seconds() / 60)
    return visit.page("device.html", {"link": link, "minutes": minutes})
