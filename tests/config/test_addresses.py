"""Addresses of stores and warehouses: what cannot be used is refused, and no part of a password is shown."""

from __future__ import annotations

import time

import pytest

from goldenlib.config.addresses import mask_url, why_unusable
from goldenlib.config.hiding import hide
from goldenlib.config.settings import load_settings
from goldenlib.errors import SettingsError

SECRET = "Geheim-Pw9"

WRITTEN_WRONGLY = [
    f"golden:{SECRET}@db.example/golden",
    f"postgresql:/golden:{SECRET}@127.0.0.1/db",
    f"postgresql//golden:{SECRET}@127.0.0.1/db",
    f"postgres:u:{SECRET}@127.0.0.1/db",
    f"//u:{SECRET}@127.0.0.1/db",
    f"postgresql://u:{SECRET}@x@127.0.0.1/db",
    f"postgresql://127.0.0.1/db?user=u&password={SECRET}@x",
    f"postgresql://127.0.0.1/db?user=u&password={SECRET} x",
    f"postgresql://u:{SECRET}\nx@127.0.0.1/db",
    f"sqlite://u:{SECRET}@x@h/db",
    f"host=127.0.0.1 password={SECRET}",
]


@pytest.mark.parametrize("address", WRITTEN_WRONGLY)
def test_an_address_that_would_tell_its_password_is_refused_without_showing_it(address: str) -> None:
    """fd-079."""
    with pytest.raises(SettingsError) as refused:
        load_settings(environ={"GOLDEN_STORE": address}, asks=False)
    assert "GOLDEN_STORE" in str(refused.value)
    assert "Geheim" not in str(refused.value)


@pytest.mark.parametrize("address", ["${GOLDEN_STORE}", "$STORE", "%STORE%", "{{ store }}", "$(STORE)", "golden\u200b.db"])
def test_a_variable_that_nobody_replaced_is_no_store_of_its_own(address: str) -> None:
    """fd-001: each run would have an empty store, and nothing to compare with."""
    with pytest.raises(SettingsError, match="GOLDEN_STORE"):
        load_settings(environ={"GOLDEN_STORE": address}, asks=False)


@pytest.mark.parametrize(
    "address",
    [
        *("golden.db", "/srv/a b/golden.db", "sqlite:////srv/ci@office/golden.db", "100%.db", "C:/golden.db", "duckdb:///a@b@c.duckdb"),
        *("postgresql://golden@db.example:5432/golden", "postgresql://u:p%40ss@h/d?sslmode=require", "mysql+pymysql://u:p@h/d", "shop"),
    ],
)
def test_an_ordinary_address_is_taken(address: str) -> None:
    assert why_unusable(address) is None


def test_masking_takes_no_time_that_grows_with_the_square() -> None:
    begun = time.process_time()
    mask_url("@" + "://a:" * 200_000)
    assert time.process_time() - begun < 2


TOKEN = 'sk-Geheim&Pw"42<x> ä'


@pytest.mark.parametrize(
    "echoed",
    [
        *(
            "sk-Geheim&amp;Pw&quot;42&lt;x&gt; ä",
            'sk-Geheim&amp;Pw"42&lt;x&gt; ä',
            'sk-Geheim&Pw\\"42<x> ä',
            'sk-Geheim&Pw\\"42<x> \\u00e4',
        ),
        *("sk-Geheim%26Pw%2242%3Cx%3E+%C3%A4", "sk-Geheim%2526Pw%252242%253Cx%253E%2520%25C3%25A4", TOKEN.encode().hex()),
    ],
)
def test_a_secret_is_hidden_in_the_spellings_of_html_json_forms_and_dumps(echoed: str) -> None:
    """5.4: no secret is written down, whoever said it."""
    assert hide(f"you sent {echoed}!", TOKEN) == "you sent ***!"
