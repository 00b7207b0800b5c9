"""What a person types, line by line: what is said to it, and what is to be done.

The same guards as on the screen: an answer counts for a request that was told whole, in the words
it still has, long enough ago to have been heard; what cannot be undone is asked for twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.session.text import one_line, sentence
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.deeds import Deed
from ppgp_tui.ui.plain.asked import whole
from ppgp_tui.ui.plain.loops import asking
from ppgp_tui.ui.plain.picture import PARTS, part_sentences, request_sentences, sentences
from ppgp_tui.ui.seat.answers import advised, by_letter, letters, takes_words, word
from ppgp_tui.ui.views.inbox.requests import why_closed

HEARD_MS = 400
"""So long ago something must have been told before an answer can have meant it."""
ARMED_MS = 60_000
"""How long `Y` means the answer that was chosen before it: listening takes longer than looking."""
OPTION_KEYS = "abcdefghi"

HELP = (
    "Type a word and Enter.",
    "y: yes, or what is advised. n: no. a to i: that option. Y: yes to what cannot be undone.",
    "say WORDS: answer in your own words. u: take the answer back.",
    "A number names a request where several wait: y 2, or open 2 and then y.",
    "open NUMBER: tells a request whole. requests: all of them.",
    "pause, resume: every agent. p turns it round.",
    f"{', '.join(PARTS)}, all: tell that part, or everything.",
    "help: this. quit: ends; agents stay as they are.",
)


class Reply(NamedTuple):
    """What is said to a typed line, and what follows from it."""

    lines: tuple[str, ...] = ()
    deed: Deed | None = None
    leaves: bool = False


class _Heard(NamedTuple):
    digest: str = ""
    ms: int = 0


class _Armed(NamedTuple):
    request: str = ""
    digest: str = ""
    option: str = ""
    ms: int = 0


class _NoAnswerError(Exception):
    """Why a line cannot be an answer; the message is told."""


class Talk:
    """One person's talk with the session."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._heard: dict[str, _Heard] = {}
        self._opened = ""
        """Id of the request that an answer without a number is for."""
        self._armed = _Armed()
        self._order: tuple[object, int] = (None, 0)
        """The order to the agents that was told last, and when."""
        self._warned_ms = 0
        """When it was said that agents stay held."""

    def number(self, request: str) -> int:
        """The number by which the request with that id is called, now and later."""
        return self._numbers.setdefault(request, len(self._numbers) + 1)

    def told(self, snapshot: SessionSnapshot, now_ms: int) -> None:
        """Everything about what waits in `snapshot` has been told."""
        for request in snapshot.inbox.value:
            if request.is_open and self._heard.get(request.id, _Heard()).digest != request.digest:
                self._heard[request.id] = _Heard(request.digest, now_ms)
        control = snapshot.control.value
        order = (control.generation, control.hold_id, control.lost)
        if self._order[0] != order:
            self._order = (order, now_ms)

    def hear(self, line: str, snapshot: SessionSnapshot, now_ms: int) -> Reply:
        """Return what to say to `line` and what to do; never raises."""
        verb, _, rest = one_line(line).partition(" ")
        if not verb:
            return Reply()
        try:
            return self._answered(verb, rest.strip(), snapshot, now_ms)
        except _NoAnswerError as why:
            return Reply((str(why),))

    def _answered(self, verb: str, rest: str, snapshot: SessionSnapshot, now_ms: int) -> Reply:
        if verb in ("q", "quit", "exit"):
            return self._leave(snapshot, now_ms)
        if verb in ("?", "help"):
            return Reply(HELP)
        if verb in PARTS:
            return Reply(tuple(part_sentences(snapshot, verb)))
        if verb in ("all", "requests"):
            say = sentences if verb == "all" else request_sentences
            self.told(snapshot, now_ms)
            return Reply(tuple(say(snapshot, self.number)))
        if verb in ("p", "pause", "resume"):
            return Reply(deed=self._order_deed(verb, snapshot, now_ms))
        if verb == "open":
            return self._open(rest, snapshot, now_ms)
        if verb in ("u", "say", "y", "n", "Y") or (len(verb) == 1 and verb in OPTION_KEYS):
            return self._to_request(verb, rest, snapshot, now_ms)
        return Reply((f"{verb} is no word here; help tells those there are.",))

    # --- agents -----------------------------------------------------------------------------------

    def _leave(self, snapshot: SessionSnapshot, now_ms: int) -> Reply:
        """Leaving while agents are held says once that they stay so."""
        control = snapshot.control.value
        held = control.hold_id is not None or control.lost
        if held and now_ms - self._warned_ms > ARMED_MS:
            self._warned_ms = now_ms
            again = "Agents stay held: quit again leaves, resume lets them go on."
            return Reply((again,))
        return Reply(("Goodbye.",), leaves=True)

    def _order_deed(self, verb: str, snapshot: SessionSnapshot, now_ms: int) -> Deed:
        control = snapshot.control.value
        stands = control.hold_id is not None or control.lost
        order = (control.generation, control.hold_id, control.lost)
        if order != self._order[0] or now_ms - self._order[1] < HEARD_MS:
            raise _NoAnswerError("The order to the agents just changed: listen, then type again.")
        if verb != "p" and stands == (verb == "pause"):
            raise _NoAnswerError("A pause stands already." if stands else "No pause stands.")
        generation = control.generation
        return deeds.Release(generation) if stands else deeds.Hold(generation)

    # --- requests ---------------------------------------------------------------------------------

    def _open(self, rest: str, snapshot: SessionSnapshot, now_ms: int) -> Reply:
        request = self._named(rest, snapshot)
        self._opened = request.id
        return Reply(tuple(self._tell(request, now_ms)))

    def _tell(self, request: Request, now_ms: int) -> Iterator[str]:
        """The whole request, and how it is answered; it counts as told from now on."""
        self._heard[request.id] = _Heard(request.digest, now_ms)
        yield f"Request {self.number(request.id)}: {whole(request, now_ms)}"
        if why := why_closed(request, now_ms):
            yield sentence(f"It cannot be answered: {why}")
            return
        final = ", then Y" if request.irreversible else ""
        if request.options:
            named = ", ".join(option.key for option in request.options)
            best = advised(request)
            yes = f" y takes {best}." if best else ""
            yield f"Type {named}{final}.{yes}"
        else:
            session = f", {given}" if (given := letters(request)) else ""
            yield f"Type y{final}{session}, or n."
        if takes_words(request):
            yield "Or type say and your own words."

    def _named(self, rest: str, snapshot: SessionSnapshot) -> Request:
        """The request that a line is about: by its number, else the opened or the only one."""
        known = {self._numbers.get(one.id, 0): one for one in snapshot.inbox.value}
        waiting = [one for one in snapshot.inbox.value if one.is_open]
        if rest:
            found = known.get(int(rest)) if rest.isdecimal() and len(rest) < 9 else None
            if found is None:
                raise _NoAnswerError(f"There is no request {rest}.")
            return found
        opened = next((one for one in snapshot.inbox.value if one.id == self._opened), None)
        if opened is not None and opened.is_open:
            return opened
        if not waiting:
            loops = ", ".join(loop.name for loop in asking(snapshot))
            only = f"No request waits for you, only a restart loop: {loops}." if loops else ""
            raise _NoAnswerError(only or "Nothing waits for you.")
        if len(waiting) > 1:
            called = ", ".join(str(self.number(one.id)) for one in waiting)
            raise _NoAnswerError(f"Which one? {called} wait: open one, or add its number.")
        return waiting[0]

    def _to_request(self, verb: str, rest: str, snapshot: SessionSnapshot, now_ms: int) -> Reply:
        if verb == "u":
            return Reply(deed=deeds.TakeBack(self._given(rest, snapshot).id))
        request = self._named("" if verb == "say" else rest, snapshot)
        if why := why_closed(request, now_ms):
            raise _NoAnswerError(sentence(f"Request {self.number(request.id)}: {why}"))
        heard = self._heard.get(request.id, _Heard())
        if heard.digest != request.digest:
            again = "This was not told yet." if not heard.digest else "It changed."
            lines = (f"{again} Listen, then answer.", *self._tell(request, now_ms))
            self._opened = request.id
            return Reply(lines)
        if now_ms - heard.ms < HEARD_MS:
            raise _NoAnswerError("That was just told: listen, then type it again.")
        if verb == "say":
            return self._own_words(request, rest)
        return self._choose(verb, request, now_ms)

    def _given(self, rest: str, snapshot: SessionSnapshot) -> Request:
        """The request whose answer can still be taken back."""
        if rest:
            return self._named(rest, snapshot)
        answered = [one for one in snapshot.inbox.value if one.state == "answered"]
        if len(answered) != 1:
            said = "Nothing can be taken back." if not answered else "Which one? Add its number."
            raise _NoAnswerError(said)
        return answered[0]

    def _own_words(self, request: Request, words: str) -> Reply:
        if not takes_words(request):
            raise _NoAnswerError("Only its own answers count for this request.")
        if not words:
            raise _NoAnswerError("An answer needs a word: say and then the words.")
        return Reply(deed=deeds.Answer(request.id, request.digest, None, words))

    def _choose(self, verb: str, request: Request, now_ms: int) -> Reply:
        if verb == "Y":
            return self._final(request, now_ms)
        option = self._option(verb, request)
        if not request.irreversible or verb == "n":
            return Reply(deed=deeds.Answer(request.id, request.digest, option))
        self._armed = _Armed(request.id, request.digest, option, now_ms)
        label = next((one.label for one in request.options if one.key == option), option)
        return Reply((f"{sentence(one_line(label))} This cannot be undone: type Y to do it.",))

    def _option(self, verb: str, request: Request) -> str:
        if verb in letters(request) and request.kind == "permission":
            return by_letter(request, verb)
        offered = [option.key for option in request.options]
        named = ", ".join(offered)
        if verb in ("y", "n") and not offered:
            return word(request, "yes" if verb == "y" else "no")
        if verb == "n":
            raise _NoAnswerError(f"This asks for one of its options: {named}.")
        chosen = advised(request) if verb == "y" else verb
        if chosen is None:
            raise _NoAnswerError(f"None of the options is advised: type {named}.")
        if chosen not in offered:
            raise _NoAnswerError(f"There is no option {chosen}: type {named or 'y or n'}.")
        return chosen

    def _final(self, request: Request, now_ms: int) -> Reply:
        if not request.irreversible:
            raise _NoAnswerError("y is enough: this can be undone.")
        armed, self._armed = self._armed, _Armed()
        same = (armed.request, armed.digest) == (request.id, request.digest)
        if not same or now_ms - armed.ms > ARMED_MS:
            raise _NoAnswerError("Choose first, then type Y.")
        return Reply(deed=deeds.Answer(request.id, request.digest, armed.option))
