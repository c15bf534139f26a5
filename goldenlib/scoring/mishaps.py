"""Mishaps: answers that are error messages of a server, or what a program makes of nothing, such as `null`.

Rule: only the shape of the whole answer counts. An answer that explains an error in its sentences is an answer.
"""

from __future__ import annotations

import json
import re

from goldenlib.answers import Score
from goldenlib.folding import fold

AXIS = "mishap"
MOST_CHARACTERS = 400  # of an error message; one that begins with its mark may be longer
_SHOWN = 60

# What a program writes where it has nothing to say, once or several times.
_NOTHING = re.compile(r"(?:(?:null|undefined|none|nil|nan|nonetype|\[object \w+\]|<nil>|<null>|\{\}|\[\]|\[done\])[\s,;.!]*)+")
# An error page or message of a proxy is made of these alone.
_CODED = r"bad request|unauthorized|forbidden|not found|method not allowed|conflict|gone|payload too large|not implemented"
_PLAIN = (
    r"bad gateway|bad request|method not allowed|gateway time-?out|service (?:temporarily |is )*unavailable|internal server error"
    r"|server error|too many requests"
    r"|request time-?out|request timed out|upstream (?:request )?timeout|stream timeout|no healthy upstream|temporarily unavailable"
    r"|web server is down|origin is unreachable|a timeout occurred|connection timed out|connection (?:refused|reset)(?: by peer)?"
    r"|rate limit (?:exceeded|reached)|overloaded(?:_error)?|econn(?:refused|reset)|etimedout|enotfound|fetch failed|network error"
)
_AROUND = (
    r"https?|error|status|code|the|[1-5]\d\d|http/\d(?:\.\d)?|nginx(?:/[\d.]+)?|(?:ubuntu|debian)|openresty(?:/[\d.]+)?|apache(?:/[\d.]+)?"
    r"|cloudflare|envoy|varnish|response|message|please|try|again|later|kesalahan|server"
)
_STATUS = re.compile(
    rf"\W*(?:(?:{_AROUND})\b\W*)*?(?:[45]\d\d\W+(?:{_CODED})|(?:error|http|galat)\W*(?:(?:code|kode|status)\W*)?[45]\d\d|{_PLAIN})\b\W*(?:(?:{_AROUND}|{_PLAIN}|{_CODED})\b\W*)*"
)
# What is said of a failure without a number, and nothing else beside it. "Forbidden." may be an agent's refusal, in a word.
_BARE = re.compile(
    r"\W*(?:not found|bad request|time-?out|timed out|(?:proxy|gateway|network) error|default backend\W+404"
    r"|request failed(?: with status code \d+)?"
    r"|error code\W*\d+|e(?:connrefused|connreset|timedout|notfound|hostunreach|pipe)\b.{0,80}|(?:maximum )?context length exceeded.{0,80}"
    r"|(?:the )?(?:model|server|engine) (?:is )?(?:currently )?overloaded.{0,80}|data:\s*\[done\]"
    r"|function \w*\s*\(.{0,80}\)\s*\{\s*\[native code\]\s*\})\W*"
)
_BEGINS_WITH_TAG = re.compile(r"<[a-z][^<>]{0,200}>")
_TAG = re.compile(r"<[^<>]{0,200}>")
_BEGINS = re.compile(
    r"<!doctype html|<html\b|<\?xml\b|upstream connect error|traceback \(most recent call last\)|exception in thread \""
    r"|(?:[a-z_$][\w$]*\.)+[\w$]*(?:exception|error)\b\s*(?::|\Z|at )|\w*(?:error|exception)\s*[:(]|<response \[[45]|cannot (?:get|post) /"
    r"|(?:fatal|application|server|internal|api|runtime|network|proxy|database|parse) error\s*:|panic:|unhandled \w*rejection"
    r"|error code: [45]\d\d\b|http error [45]\d\d\b|litellm\.|rate limit reached for|you exceeded your current quota"
)
# Excuses, whole sentences, with an apology before and an advice behind.
_SORRY = r"(?:(?:oops|whoops|sorry|mohon maaf|maaf|we(?:'| a)re sorry)\W+(?:but )?)?"
_EXCUSES = (
    r"(?:an? |some )?(?:(?:unexpected|internal|unknown|server|application) )*error (?:has )?occurred"
    r"(?: (?:while|when|during|in) [^.!?]{1,80})?"
    r"|something went wrong(?: (?:on|while|when|with) [^.!?]{1,60})?"
    r"|the server (?:encountered|has encountered) an? [^.!?]{0,40}error[^.!?]{0,120}"
    r"|(?:the |this |our )?(?:server|service|system|model|engine|site) is (?:currently |temporarily )*"
    r"(?:overloaded|busy|unavailable|down|offline)"
    r"(?: (?:at the moment|right now|with [^.!?]{1,40}))?"
    r"|(?:telah )?terjadi (?:kesalahan|gangguan|error|galat|masalah)"
    r"(?: (?:internal|teknis|sistem|jaringan|server|yang tidak (?:ter)?duga|tak terduga"
    r"|yang tidak diketahui|(?:pada|di|dalam) (?:sisi )?(?:server|sistem|layanan|aplikasi|jaringan|internal)(?: kami)?"
    r"|(?:saat|ketika|dalam) (?:memproses|memuat|menghubungi|mengambil)[^.!?]{0,60}))*"
    r"|(?:layanan|server|sistem|situs|aplikasi|model)(?: ini| kami)?(?: sedang| saat ini)*"
    r" (?:tidak (?:tersedia|dapat diakses|merespons?)|sibuk|(?:dalam )?(?:gangguan|pemeliharaan|perbaikan)|mengalami gangguan|down|penuh)"
    r"(?: (?:untuk )?sementara(?: waktu)?| saat ini)*"
    r"|kesalahan (?:internal (?:pada )?)?(?:server|sistem)(?: internal)?"
    r"|(?:permintaan|pertanyaan)(?: anda)? (?:gagal|tidak dapat|tidak bisa) diproses(?: saat ini)?"
    r"|(?:waktu (?:permintaan|tunggu|koneksi) (?:telah )?habis|koneksi (?:ke server )?(?:terputus|gagal)"
    r"|gagal (?:terhubung|menghubungi|memuat)[^.!?]{0,40})"
    r"|(?:batas permintaan|kuota)(?: anda)? (?:telah )?(?:terlampaui|habis|tercapai)|terlalu banyak permintaan"
)
_ADVICE = r"(?:(?:please|kindly|silakan|silahkan|mohon|harap|coba|try|we )[^.!?]{0,100})"
_EXCUSE = re.compile(
    rf"{_SORRY}(?:{_EXCUSES}|{_PLAIN})(?:\s*[:(,;\u2013-]?\s*(?:kode|code|error|http)?\W*[45]\d\d\W*)?(?:[\s.,!;]+{_ADVICE})*[\s.!]*"
)
_ERROR_KEYS = frozenset({"error", "errors", "exception", "traceback", "stacktrace", "fault"})
_STATUS_KEYS = frozenset({"status", "code", "statuscode", "status_code", "error_code", "errorcode"})


def check_shape(answer: str) -> Score | None:
    """Return the finding that an answer looks like an error message and not like an answer, or None. It decides nothing by itself."""
    if not looks_like_mishap(answer):
        return None
    shown = " ".join(answer.split())
    quoted = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return Score(AXIS, None, None, f"looks like an error message, not an answer: '{quoted}'", gates=False)


def looks_like_mishap(answer: str) -> bool:
    """Whether the whole text is an error message, an error page, or what a program writes for nothing.

    >>> looks_like_mishap("502 Bad Gateway"), looks_like_mishap("Galat 502 Bad Gateway berarti server AHU tidak menjawab.")
    (True, False)
    """
    text = fold(answer[: 4 * MOST_CHARACTERS]).strip("`*_#\"' \u201c\u201d")
    if _BEGINS.match(text):
        return True
    if len(answer) > MOST_CHARACTERS:
        return _is_error_object(answer)
    text = " ".join(_TAG.sub(" ", text).split()) if _BEGINS_WITH_TAG.match(text) else text
    return any(pattern.fullmatch(text) is not None for pattern in (_NOTHING, _STATUS, _EXCUSE, _BARE)) or _is_error_object(answer)


def _is_error_object(answer: str) -> bool:
    """Whether the text is a JSON object that reports an error."""
    stripped = answer.strip().removeprefix("```json").strip("`").strip()
    if not (stripped.startswith("{") and stripped.endswith("}")):
        return False
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return False
    given = {key.casefold() for key, part in value.items() if part not in (None, False, "", 0, [], {})}
    failed = value.get("type") == "error" or value.get("success") is False or value.get("ok") is False
    return bool(
        failed or given & _ERROR_KEYS or (given & {"message", "detail", "msg", "title"} and given & _STATUS_KEYS) or given == {"detail"}
    )
