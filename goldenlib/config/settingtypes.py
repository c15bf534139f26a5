"""Types of settings: what one value may be, as it is read from YAML, the environment or a parameter.

Rule: a value is taken as it was written, or refused in words that say what to write. What is wrong is said without showing a secret.
"""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr

from goldenlib.config.addresses import why_unusable
from goldenlib.plugins import installed

DEMO = "demo"
OFF = "off"
MOST_DECIMALS = 20
TARGET_KINDS = ("orchestrate", "openai", "function", "recorded", "json", "schema-only")
APPENDED = ("/api/orchestrate", "/chat/completions")  # what is put behind a base URL, and people like to put there themselves
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")


def _as_rate(value: object) -> Decimal:
    """Read a share as it is written, so that 0.8 is four fifths and not the binary number next to it."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal):
        raise ValueError("is not a number")
    try:
        number = Decimal(str(value).strip())
    except InvalidOperation:
        raise ValueError("is not a number; write a share such as 0.8") from None
    if not number.is_finite() or not 0 <= number <= 1:
        raise ValueError("is not a share from 0 to 1, such as 0.8")
    if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):  # Decimal also takes 1_0e-1 and other scripts' digits
        raise ValueError("is not a number; write a share such as 0.8")
    if -int(number.as_tuple().exponent) > MOST_DECIMALS:
        raise ValueError(f"has more than {MOST_DECIMALS} decimals")
    return abs(number)


def _not_boolean(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("is not a number")
    return value


def _as_names(value: object) -> object:
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _base_url(value: object) -> object:
    """Return a base URL without trailing slash. What may hold a secret is refused, since addresses are shown and stored."""
    if value == DEMO or not isinstance(value, str):
        return value
    url = value.strip()
    if "@" in url:
        raise ValueError(
            "holds a user name or password; put the secret in the environment instead, and percent-encode a @ that is none (write %40)"
        )
    if "?" in url or "#" in url:
        raise ValueError("holds a ? or #; give the base address only, and secrets in the environment")
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises ValueError where there cannot be such a port
    except ValueError:  # whose words show a part of the address
        raise ValueError("is not an http:// or https:// address; is the port a number?") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not url.isprintable() or " " in url:
        raise ValueError("is not an http:// or https:// address")
    url = url.rstrip("/")
    for path in APPENDED:
        if url.endswith(path):
            raise ValueError(f"ends in {path}, which is appended; leave that out")
    return url


def _address(value: str) -> str:
    """Refuse an address that its driver would read otherwise than it was meant, and tell a part of the password by that."""
    if problem := why_unusable(value):
        raise ValueError(problem)
    return value


def _judge_url(value: object) -> object:
    is_off = value is False or (isinstance(value, str) and value.strip().casefold() == OFF)
    return OFF if is_off else _base_url(value)


def _as_secret(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value().strip()
    if not text or not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError("cannot be sent in an HTTP header; a secret holds no blanks, line breaks or characters beyond ASCII")
    return SecretStr(text)


def _variable_name(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValueError("must be the name of an environment variable, never the token itself")
    return name


def _target_kind(kind: str) -> str:
    if kind in TARGET_KINDS:
        return kind
    others = installed("target")
    if kind not in others:
        *names, last = (repr(name) for name in (*TARGET_KINDS, *others))
        raise ValueError(f"should be {', '.join(names)} or {last}")
    return kind


def _in_one_line(text: str) -> str:
    if not text.isprintable() or len(text) > 200:
        raise ValueError("must be one line of at most 200 characters")
    return text


BaseUrl = Annotated[str, BeforeValidator(_base_url)]
JudgeUrl = Annotated[str, BeforeValidator(_judge_url)]
Rate = Annotated[Decimal, BeforeValidator(_as_rate)]
Seconds = Annotated[float, BeforeValidator(_not_boolean), Field(gt=0, le=86_400, allow_inf_nan=False)]
Count = Annotated[int, BeforeValidator(_not_boolean)]
Temperature = Annotated[float, BeforeValidator(_not_boolean), Field(ge=0, le=2, allow_inf_nan=False)]
Retries = Annotated[Count, Field(ge=0, le=20)]
Words = Annotated[str, Field(min_length=1)]
Address = Annotated[Words, AfterValidator(_address)]
OneLine = Annotated[Words, AfterValidator(_in_one_line)]
Zone = Annotated[str, Field(pattern=r"^(?:[A-Za-z][A-Za-z0-9_+/-]*|[+-]\d\d:[0-5]\d)$")]  # looked up by the warehouse
Secret = Annotated[SecretStr, AfterValidator(_as_secret)]
Names = Annotated[tuple[Words, ...], BeforeValidator(_as_names)]
VariableName = Annotated[str, AfterValidator(_variable_name)]
VariableNames = Annotated[tuple[VariableName, ...], BeforeValidator(_as_names)]
TargetKind = Annotated[Words, AfterValidator(_target_kind)]
