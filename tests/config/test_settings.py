from __future__ import annotations

import json
import re
import traceback
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from goldenlib.config.settings import DEFAULT_STORE, SECRET_VARIABLES, Settings, TargetSettings, load_settings, mask_url
from goldenlib.config.settingtypes import DEMO, OFF
from goldenlib.errors import SettingsError

EXAMPLE = Path(__file__).parents[2] / "golden" / "config.example.yaml"
SECRET = "hunter2-geheim"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


def load(path: Path | None = None, block: str = "", *, environ: dict[str, str] | None = None, **overrides: Any) -> Settings:
    """The settings of a file with this text in its block, without warnings; who is asked need not be named."""
    settings, warnings = loaded(path, block, environ=environ, **overrides)
    assert warnings == ()
    return settings


def loaded(
    path: Path | None = None, block: str = "", *, environ: dict[str, str] | None = None, **overrides: Any
) -> tuple[Settings, tuple[str, ...]]:
    if path is not None and block:
        lines = "".join(f"  {line}\n" for line in block.splitlines())
        path.write_text(f"rag_quality:\n{lines}", encoding="utf-8")
    return load_settings(path, overrides, environ or {}, asks=False)


def problem(path: Path | None = None, block: str = "", *, environ: dict[str, str] | None = None, **overrides: Any) -> str:
    with pytest.raises(SettingsError) as caught:
        loaded(path, block, environ=environ, **overrides)
    return str(caught.value).replace(f"{path}:", "config:")


# --- precedence and sources ---


def test_the_defaults_ask_the_demo_and_no_host_on_a_network() -> None:
    settings = load()
    assert (settings.chatbot_url, settings.judge_url, settings.golden_store) == (DEMO, DEMO, DEFAULT_STORE)
    assert (settings.golden_min_pass_rate, settings.golden_pass_threshold, settings.golden_min_scored_rate) == (
        Decimal("0.8"),
        Decimal("0.7"),
        Decimal(0),
    )
    assert (settings.chatbot_timeout_s, settings.chatbot_idle_timeout_s, settings.judge_timeout_s) == (120, 30, 60)
    assert (settings.chatbot_retries, settings.judge_retries, settings.golden_concurrency) == (2, 3, 16)
    assert (settings.chatbot_max_answer_bytes, settings.chatbot_done_event) == (1_000_000, None)
    assert settings.chatbot_text_key == ("delta", "content", "text")
    assert settings.judge_disable_thinking
    assert not re.search(r"\w+://(?!/)", json.dumps(settings.without_secrets()))


def test_parameter_beats_environment_beats_file_beats_default(config: Path) -> None:
    file = "chatbot_retries: 3\njudge_retries: 3\ngolden_concurrency: 3"
    environ = {"GOLDEN_JUDGE_RETRIES": "4", "GOLDEN_CONCURRENCY": "4"}
    settings = load(config, file, environ=environ, golden_concurrency=5)
    assert (settings.chatbot_retries, settings.judge_retries, settings.golden_concurrency) == (3, 4, 5)
    assert settings.chatbot_max_answer_bytes == 1_000_000


def test_a_parameter_that_is_none_counts_as_not_given() -> None:
    assert load(environ={"GOLDEN_CONCURRENCY": "4"}, golden_concurrency=None).golden_concurrency == 4


@pytest.mark.parametrize("name", ["GOLDEN_MIN_PASS_RATE", "GOLDEN_GOLDEN_MIN_PASS_RATE"])
def test_a_key_that_begins_with_golden_is_not_doubled_in_the_environment(name: str) -> None:
    assert load(environ={name: " 0.9 "}).golden_min_pass_rate == Decimal("0.9")


def test_two_variables_for_one_key_have_to_agree() -> None:
    environ = {"GOLDEN_STORE": "a.db", "GOLDEN_GOLDEN_STORE": "b.db"}
    assert problem(environ=environ) == "environment: GOLDEN_STORE and GOLDEN_GOLDEN_STORE differ; keep one"
    assert load(environ=environ | {"GOLDEN_GOLDEN_STORE": "a.db"}).golden_store == "a.db"


def test_the_real_environment_is_read_when_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOLDEN_JUDGE_MODEL", "from-the-environment")
    assert load_settings(asks=False)[0].judge_model == "from-the-environment"


def test_targets_do_not_come_from_the_environment() -> None:
    for value in ("x", ""):
        assert "GOLDEN_TARGETS: targets are written in a configuration file" in problem(environ={"GOLDEN_TARGETS": value})


@pytest.mark.parametrize(
    ("text", "value"), [("no", False), ("off", False), ("false", False), ("0", False), ("yes", True), ("TRUE", True), ("on", True)]
)
def test_switches_are_read_from_text(config: Path, text: str, value: bool) -> None:
    assert load(config, f"judge_disable_thinking: {text}").judge_disable_thinking is value
    assert load(environ={"GOLDEN_JUDGE_DISABLE_THINKING": text}).judge_disable_thinking is value


# --- the file ---


def test_other_blocks_are_ignored(config: Path) -> None:
    config.write_text("store: !secret x\nlists: [a, a]\nlists: [b]\nrag_quality:\n  judge_model: qwen\nafter: !env y\n", encoding="utf-8")
    assert load(config).judge_model == "qwen"


def test_keys_of_the_other_judge_are_named_in_a_warning(config: Path) -> None:  # seed 001: the block is shared
    others = "enabled: true\nsample_rate: 0.1\njudge_queue_size: 64\njudge_sample_rate: 5\njudge_concurrency: 2\nretention_days: 30"
    settings, warnings = loaded(config, f"{others}\njudge_model: qwen")
    assert settings.judge_model == "qwen"
    assert len(warnings) == 6
    assert warnings[0] == f"{config}:2:3: 'enabled' in rag_quality is not a key of golden runs and is ignored"


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("golden_min_pas_rate", "golden_min_pass_rate"),
        ("golden-min-pass-rate", "golden_min_pass_rate"),
        ("Golden_Min_Pass_Rate", "golden_min_pass_rate"),
        ("golden_pass_treshold", "golden_pass_threshold"),
        ("chatbot_ulr", "chatbot_url"),
        ("judge_timeout", "judge_timeout_s"),
        ("target", "targets"),
    ],
)
def test_a_key_close_to_a_known_one_is_refused(config: Path, key: str, meant: str) -> None:
    assert problem(config, f"judge_model: qwen\n{key}: 1") == f"config:3:3: unknown key '{key}' in rag_quality (did you mean '{meant}'?)"


def test_a_file_without_the_block_is_warned_about(config: Path) -> None:
    config.write_text("store:\n  url: x\n", encoding="utf-8")
    assert loaded(config) == (Settings(), (f"{config}: has no 'rag_quality:' block, so every setting has its default",))
    config.write_text("", encoding="utf-8")
    assert loaded(config)[1] == (f"{config}: has no 'rag_quality:' block, so every setting has its default",)


def test_an_empty_block_is_warned_about(config: Path) -> None:
    config.write_text("rag_quality:\n", encoding="utf-8")
    assert loaded(config) == (Settings(), (f"{config}: 'rag_quality:' is empty, so every setting has its default",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rag-quality:\n  judge_model: x\n", "config:1:1: unknown block 'rag-quality' (did you mean 'rag_quality'?)"),
        ("a: 1\nrag_qualty:\n", "config:2:1: unknown block 'rag_qualty' (did you mean 'rag_quality'?)"),
        ("rag_quality: demo\n", "config:1:14: 'rag_quality' must hold keys and values"),
        ("rag_quality:\n  - judge_model: x\n", "config:2:3: 'rag_quality' must hold keys and values"),
        ("- rag_quality\n", "config: is not a configuration file; write a block 'rag_quality:' with keys and values"),
        ("rag_quality:\n  judge_model: a\n  judge_model: b\n", "config:3:3: duplicate key 'judge_model'; keep one of them"),
        ("rag_quality:\n  judge_model: a\nrag_quality:\n  judge_model: b\n", "config:3:1: duplicate key 'rag_quality'; keep one of them"),
        ("rag_quality:\n  judge_model: !env x\n", "config:2:16: the tag '!env' is not allowed"),
        ("rag_quality: [a\n", "config:"),
        ("rag_quality:\n\tjudge_model: x\n", "config:2:1: a tab where YAML wants spaces"),
        ("rag_quality:\n  a: 1\n---\nb: 2\n", "config:3:1: a second document starts here"),
    ],
)
def test_a_file_that_cannot_be_used_says_where(config: Path, text: str, message: str) -> None:
    config.write_text(text, encoding="utf-8")
    assert problem(config).startswith(message)


def test_a_file_that_is_not_utf8_is_refused(config: Path) -> None:
    config.write_bytes(b"rag_quality:\n  judge_model: caf\xe9\n")
    assert "config:2:19: is not UTF-8" in problem(config)


@pytest.mark.parametrize(("name", "why"), [("absent.yaml", "No such file or directory"), (".", "Is a directory"), ("a\0b", "null byte")])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why) as caught:
        load_settings(tmp_path / name, environ={})
    assert "give the path of a configuration file" in str(caught.value)


def test_merged_keys_count(config: Path) -> None:
    config.write_text("base: &base\n  judge_model: qwen\nrag_quality:\n  <<: *base\n  judge_retries: 1\n", encoding="utf-8")
    assert (load(config).judge_model, load(config).judge_retries) == ("qwen", 1)


def test_a_json_file_does_too(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"rag_quality": {"golden_min_pass_rate": 0.85, "judge_url": false, "golden_concurrency": 4}}', encoding="utf-8")
    settings = load(path)
    assert (settings.golden_min_pass_rate, settings.judge_is_off, settings.golden_concurrency) == (Decimal("0.85"), True, 4)


def test_all_problems_are_told_at_once_with_their_places(config: Path) -> None:
    text = problem(
        config,
        "golden_min_pass_rate: nan\nchatbot_retries: many\ntargets:\n  publik: openai\n  internal:\n    kind: opena",
        environ={"GOLDEN_CONCURRENCY": "0"},
        judge_timeout_s=-1,
    )
    assert sorted(text.splitlines()) == [
        "config:2:25: golden_min_pass_rate: 'nan' is not a share from 0 to 1, such as 0.8",
        "config:3:20: chatbot_retries: 'many' should be a valid integer, unable to parse string as an integer",
        "config:5:13: targets.publik: a target of kind openai needs url",
        "config:5:5: targets.publik is not a known key (did you mean 'public'?)",
        "config:7:13: targets.internal.kind: 'opena' should be 'orchestrate', 'openai', 'function', 'recorded', 'json' or 'schema-only'",
        "environment variable GOLDEN_CONCURRENCY: golden_concurrency: '0' should be greater than or equal to 1",
        "parameter: judge_timeout_s: '-1' should be greater than 0",
    ]


def test_the_example_configuration_loads() -> None:
    settings = load(EXAMPLE)
    assert (settings.chatbot_url, settings.judge_url) == ("https://chatbot.example", "http://judge.example/v1")
    assert (settings.judge_model, settings.golden_concurrency) == ("qwen3-32b", 8)


def test_the_example_shows_every_key() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert [key for key in Settings.model_fields if key not in SECRET_VARIABLES and not re.search(rf"(?m)^  (# )?{key}:", text)] == []


def test_every_line_that_the_example_leaves_out_would_load(tmp_path: Path) -> None:
    whole = re.sub(r"(?m)^  # (\s*\w+:( .*)?)$", r"  \1", EXAMPLE.read_text(encoding="utf-8"))
    assert whole.count("#") < EXAMPLE.read_text(encoding="utf-8").count("#")
    path = tmp_path / "whole.yaml"
    path.write_text(whole, encoding="utf-8")
    settings = load(path)
    assert settings.chatbot_done_event == "done"
    internal = settings.target_for("internal")
    assert internal is not None
    assert (internal.kind, internal.url) == ("json", "http://data-agent.example/ask")
    defaults = Settings()
    for name in ("chatbot_timeout_s", "chatbot_retries", "judge_timeout_s", "judge_retries", "judge_disable_thinking"):
        assert getattr(settings, name) == getattr(defaults, name)


# --- numbers ---

RATES = ["golden_min_pass_rate", "golden_pass_threshold", "golden_min_scored_rate"]
SECONDS = ["chatbot_timeout_s", "chatbot_idle_timeout_s", "judge_timeout_s", "golden_retry_wait_max_s", "warehouse_timeout_s"]
COUNTS = [
    "chatbot_max_answer_bytes",
    "chatbot_retries",
    "judge_retries",
    "judge_max_tokens",
    "golden_concurrency",
    "warehouse_max_rows",
    "warehouse_memory_mb",
    "warehouse_concurrency",
]
NO_NUMBERS = [
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "-1",
    "many",
    "true",
    "0,8",
    "1e400",
    "80%",
    True,
    False,
    float("nan"),
    float("inf"),
    [1],
]


def test_every_number_is_in_these_lists() -> None:
    numbers = {name for name, field in Settings.model_fields.items() if re.search("Decimal|float|int", str(field.annotation))}
    assert numbers == {*RATES, *SECONDS, *COUNTS}


@pytest.mark.parametrize("key", [*RATES, *SECONDS, *COUNTS])
@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_what_is_no_number_in_range_is_refused(key: str, value: Any) -> None:  # judge.jsonl, case 73
    assert f"parameter: {key}:" in problem(**{key: value})
    if isinstance(value, str):
        assert f"GOLDEN_{key.upper().removeprefix('GOLDEN_')}: {key}:" in problem(environ={f"GOLDEN_{key.upper()}": value}).replace(
            "GOLDEN_GOLDEN_", "GOLDEN_"
        )


@pytest.mark.parametrize("value", ["1.01", 80, "80", Decimal("-0.1"), Decimal("sNaN"), "1e-999999999", "0." + "3" * 30])
@pytest.mark.parametrize("key", RATES)
def test_a_rate_is_a_share_with_a_bearable_number_of_decimals(key: str, value: Any) -> None:
    assert key in problem(**{key: value})


@pytest.mark.parametrize(
    ("value", "read"), [("0.80", "0.8"), (0.8, "0.8"), (" 0.56 ", "0.56"), (1, "1"), ("8e-1", "0.8"), ("-0", "0"), (0.07, "0.07")]
)
def test_a_rate_is_the_decimal_as_written(value: Any, read: str) -> None:
    rate = load(golden_min_pass_rate=value).golden_min_pass_rate
    assert rate == Decimal(read)
    assert not rate.is_signed()


@pytest.mark.parametrize("value", [0, 0.5, "2.5", 90_000])
@pytest.mark.parametrize("key", ["golden_concurrency", "chatbot_max_answer_bytes"])
def test_a_count_is_a_whole_number_in_its_range(key: str, value: Any) -> None:
    if key == "chatbot_max_answer_bytes" and value == 90_000:
        assert load(**{key: value}).chatbot_max_answer_bytes == 90_000
    else:
        assert key in problem(**{key: value})


@pytest.mark.parametrize("value", ["0", 0, "86401"])
@pytest.mark.parametrize("key", SECONDS)
def test_a_time_is_positive_and_at_most_a_day(key: str, value: Any) -> None:
    assert key in problem(**{key: value})


@given(st.one_of(st.text(max_size=12), st.floats(), st.integers(), st.decimals(), st.booleans()))
def test_whatever_is_given_as_a_rate_is_a_share_or_refused(value: Any) -> None:
    try:
        settings = Settings(golden_min_pass_rate=value)
    except ValidationError:
        return
    assert 0 <= settings.golden_min_pass_rate <= 1


# --- texts and addresses ---


@pytest.mark.parametrize("text", ["[a, b]", "a, b", "\n- a\n- b", "'a,b'"])
def test_text_keys_are_a_list_or_separated_by_commas(config: Path, text: str) -> None:
    indented = text.replace("\n", "\n    ")
    assert load(config, f"chatbot_text_key: {indented}").chatbot_text_key == ("a", "b")


@pytest.mark.parametrize("value", [",", " ", [], [""], ["a", ""], {"a": "b"}, 5])
def test_text_keys_are_not_empty(value: Any) -> None:
    assert "chatbot_text_key" in problem(chatbot_text_key=value)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("http://host", "http://host"),
        ("https://host.example/", "https://host.example"),
        ("https://host.example/base/path//", "https://host.example/base/path"),
        (" http://host:8080 ", "http://host:8080"),
        ("http://[::1]:8080/x/", "http://[::1]:8080/x"),
        ("http://192.168.83.20:3500", "http://192.168.83.20:3500"),
        ("HTTP://Host", "HTTP://Host"),
        ("demo", "demo"),
    ],
)
def test_a_base_url_keeps_its_path_and_loses_its_slash(url: str, kept: str) -> None:
    assert load(chatbot_url=url).chatbot_url == kept
    assert load(judge_url=url).judge_url == kept
    assert load(targets={"internal": {"kind": "orchestrate", "url": url}}).targets["internal"].url == kept  # type: ignore[index]


@pytest.mark.parametrize(
    "url",
    [
        "host",
        "ftp://host",
        "http://",
        "http:///x",
        "//host",
        "file:///etc/passwd",
        "http://[::1",
        "http://h:99999",
        "http://h:x",
        "http://a b",
        "http://h\tx",
        5,
        ["http://h"],
    ],
)
@pytest.mark.parametrize("key", ["chatbot_url", "judge_url"])
def test_what_is_no_address_is_refused(key: str, url: Any) -> None:
    assert f"parameter: {key}" in problem(**{key: url})


@pytest.mark.parametrize(
    "url",
    [f"https://user:{SECRET}@host/x", f"https://{SECRET}@host", f"http://:{SECRET}@h", f"https://h/v1?key={SECRET}", f"https://h#{SECRET}"],
)
@pytest.mark.parametrize("key", ["chatbot_url", "judge_url"])
def test_an_address_that_may_hold_a_secret_is_refused_without_showing_it(config: Path, key: str, url: str) -> None:
    texts = [problem(**{key: url}), problem(environ={f"GOLDEN_{key.upper()}": url}), problem(config, f"{key}: '{url}'")]
    texts.append(problem(targets={"public": {"kind": "openai", "url": url}}))
    for text in texts:
        assert "environment" in text
        assert SECRET not in text


@pytest.mark.parametrize(
    ("key", "url"),
    [
        ("chatbot_url", "https://h/api/orchestrate"),
        ("chatbot_url", "https://h/api/orchestrate/"),
        ("judge_url", "https://h/v1/chat/completions"),
    ],
)
def test_an_address_with_what_is_appended_is_refused(key: str, url: str) -> None:
    assert "which is appended; leave that out" in problem(**{key: url})


@pytest.mark.parametrize("off", ["off", "OFF", "Off", "'off'", '"off"'])
def test_the_judge_is_switched_off_by_a_bare_word(config: Path, off: str) -> None:
    assert load(config, f"judge_url: {off}").judge_is_off


def test_the_judge_is_switched_off_by_false_and_by_the_environment() -> None:
    assert load(judge_url=False).judge_url == OFF
    assert load(environ={"GOLDEN_JUDGE_URL": "off"}).judge_is_off
    assert not load().judge_is_off


# --- secrets ---


def test_secrets_come_from_the_environment() -> None:
    settings = load(environ={"GOLDEN_CHATBOT_TOKEN": f"{SECRET}\n", "GOLDEN_JUDGE_API_KEY": SECRET})
    assert settings.chatbot_token is not None
    assert settings.judge_api_key is not None
    assert (settings.chatbot_token.get_secret_value(), settings.judge_api_key.get_secret_value()) == (SECRET, SECRET)


@pytest.mark.parametrize(("key", "variable"), SECRET_VARIABLES.items())
def test_a_secret_anywhere_else_is_refused_without_showing_it(config: Path, key: str, variable: str) -> None:
    for text in (problem(config, f"{key}: {SECRET}"), problem(**{key: SECRET}), problem(**{key: [SECRET]})):
        assert f"'{key}' is a secret and comes from the environment only; set {variable}" in text
        assert SECRET not in text


def test_a_warehouse_with_a_password_comes_from_the_environment(config: Path) -> None:
    url = f"postgresql://reader:{SECRET}@db/sales"
    text = problem(config, f'warehouse: "{url}"')
    assert "warehouse holds a password; set GOLDEN_WAREHOUSE in the environment instead" in text
    settings = load(environ={"GOLDEN_WAREHOUSE": url})
    assert settings.warehouse == url
    assert SECRET not in f"{text} {settings!r} {settings.without_secrets()}"


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://golden:{SECRET}@db/golden",
        f"postgresql://u:{SECRET} with %40 and /@db/g",
        f"postgresql://db/g?user=u&password={SECRET}",
    ],
)
def test_a_store_with_a_password_comes_from_the_environment(config: Path, url: str) -> None:
    for text in (problem(config, f'golden_store: "{url}"'), problem(golden_store=url)):
        assert "golden_store holds a password; set GOLDEN_STORE in the environment instead" in text
        assert SECRET not in text
    settings = load(environ={"GOLDEN_STORE": url})
    assert settings.golden_store == url
    assert SECRET not in f"{settings!r} {settings} {settings.without_secrets()}"
    assert "***" in settings.without_secrets()["golden_store"]


@pytest.mark.parametrize("secret", [f"{SECRET}\r\nX-Admin: 1", f"Bearer {SECRET}", f"{SECRET}\x00", f"{SECRET}é"])
@pytest.mark.parametrize("variable", SECRET_VARIABLES.values())
def test_a_secret_that_no_header_can_carry_is_refused_without_showing_it(variable: str, secret: str) -> None:
    text = problem(environ={variable: secret})
    assert f"environment variable {variable}" in text
    assert "cannot be sent in an HTTP header" in text
    assert SECRET not in text


def test_no_secret_is_shown_when_something_else_is_wrong(config: Path) -> None:
    environ = {"GOLDEN_CHATBOT_TOKEN": SECRET, "GOLDEN_JUDGE_API_KEY": SECRET, "GOLDEN_STORE": f"postgresql://u:{SECRET}@h/d"}
    with pytest.raises(SettingsError) as caught:
        loaded(config, "golden_min_pass_rate: 2", environ=environ)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_no_secret_is_shown_by_the_model_itself() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings(chatbot_token=f"{SECRET} x", chatbot_url=f"https://u:{SECRET}@h")  # type: ignore[arg-type]
    assert SECRET not in str(caught.value)


def test_settings_without_secrets_are_plain_json(config: Path) -> None:
    settings = load(config, "targets:\n  internal:\n    kind: openai\n    url: http://h/v1", environ={"GOLDEN_JUDGE_API_KEY": SECRET})
    values = settings.without_secrets()
    assert json.loads(json.dumps(values)) == values
    assert not set(SECRET_VARIABLES) & set(values)
    assert values["golden_min_pass_rate"] == "0.8"
    assert values["targets"]["internal"]["url"] == "http://h/v1"
    assert SECRET not in json.dumps(values)


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("sqlite:///golden.db", "sqlite:///golden.db"),
        ("sqlite:////data/a:b@c.db", "sqlite:////data/a:b@c.db"),
        ("golden.db", "golden.db"),
        ("postgresql://golden@db:5432/golden", "postgresql://golden@db:5432/golden"),
        ("postgresql://golden:p@db:5432/golden", "postgresql://golden:***@db:5432/golden"),
        ("postgresql+psycopg://golden:p@ss/w:o rd@db/golden", "postgresql+psycopg://golden:***@db/golden"),
        ("redis://:p@db", "redis://:***@db"),
        ("postgresql://db/golden?sslpassword=p&user=u&Password=q", "postgresql://db/golden?sslpassword=***&user=u&Password=***"),
        (
            "x://h/?access_token=p&private_key_passphrase=q;credentials_base64=r&sslmode=require",
            "x://h/?access_token=***&private_key_passphrase=***;credentials_base64=***&sslmode=require",
        ),
        ("x://h/?p4ssword", "x://h/?***"),
        ("no such host x://h/d?key=p: is it up? yes & no", "no such host x://h/d?key=*** is it up? yes & no"),
        ("https://h/?api_key=p&apikey=q&token=r", "https://h/?api_key=***&apikey=***&token=***"),
        ("could not reach postgresql://u:p@h/d: refused", "could not reach postgresql://u:***@h/d: refused"),
    ],
)
def test_passwords_in_addresses_are_masked(url: str, masked: str) -> None:
    assert mask_url(url) == masked
    assert mask_url(masked) == masked


# --- variables ---


def test_a_misspelt_variable_is_refused() -> None:
    text = problem(environ={"GOLDEN_MIN_PASSRATE": "1", "GOLDEN_JUDGE_APIKEY": SECRET})
    assert "environment: unknown variable GOLDEN_MIN_PASSRATE (did you mean GOLDEN_MIN_PASS_RATE?)" in text
    assert "environment: unknown variable GOLDEN_JUDGE_APIKEY (did you mean GOLDEN_JUDGE_API_KEY?)" in text
    assert SECRET not in text


def test_other_variables_are_left_alone() -> None:
    assert (
        load(environ={"GOLDEN_REQUIRE_SYSTEM": "1", "GOLDEN_TEST_PG_URL": "x", "PATH": "/bin", "golden_min_pass_rate": "2"}) == Settings()
    )


def test_the_variable_that_a_target_names_is_none_of_ours(config: Path) -> None:
    block = "targets:\n  internal:\n    kind: openai\n    url: http://h/v1\n    token_variable: GOLDEN_CHATBOT2_TOKEN"
    assert load(config, block, environ={"GOLDEN_CHATBOT2_TOKEN": SECRET}).targets
    assert "did you mean GOLDEN_CHATBOT_TOKEN" in problem(environ={"GOLDEN_CHATBOT2_TOKEN": SECRET})


def test_an_unknown_parameter_is_refused() -> None:
    assert problem(golden_min_passrate=1) == "parameter: golden_min_passrate is not a known key (did you mean 'golden_min_pass_rate'?)"


# --- targets ---


def test_public_items_go_to_the_chatbot_and_internal_ones_nowhere() -> None:
    settings = load(chatbot_url="http://host")
    assert settings.target_for("public") == TargetSettings(kind="orchestrate", url="http://host")
    assert settings.target_for("internal") is None
    assert settings.target_for("unheard-of") is None


def test_an_orchestrate_target_without_url_is_the_chatbot(config: Path) -> None:
    block = "chatbot_url: http://host\ntargets:\n  public: orchestrate\n  internal:\n    kind: orchestrate\n    url: http://internal"
    settings = load(config, block)
    public, internal = settings.target_for("public"), settings.target_for("internal")
    assert public is not None
    assert internal is not None
    assert (public.url, internal.url) == ("http://host", "http://internal")


def test_a_surface_without_a_value_is_refused(config: Path) -> None:  # contract 8: what is empty is no absent one
    text = problem(config, "targets:\n  public:\n  internal:")
    assert [line.split(";")[0] for line in text.splitlines()] == [
        "config:3:12: targets.public is empty",
        "config:4:14: targets.internal is empty",
    ]


def test_a_model_may_be_given_no_system_prompt(config: Path) -> None:
    block = "targets:\n  public: {kind: openai, url: 'http://h/v1', system_prompt: ''}"
    target = load(config, block).target_for("public")
    assert target is not None
    assert target.system_prompt == ""


@pytest.mark.parametrize(
    "target",
    [
        {"kind": "orchestrate", "url": "http://h", "token_variable": "AGENT_TOKEN"},
        {"kind": "openai", "url": "http://h/v1", "model": "m", "stream": "no", "system_prompt": "p"},
        {"kind": "function", "callable": "mybot.answers:ask"},
        {"kind": "recorded", "path": "answers.jsonl"},
        {"kind": "recorded", "run_id": "run-1"},
    ],
)
def test_each_kind_of_target_loads(target: dict[str, str]) -> None:
    wired = load(targets={"internal": target}).target_for("internal")
    assert wired is not None
    assert wired.kind == target["kind"]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ({"kind": "openai"}, "targets.internal: a target of kind openai needs url"),
        ({"kind": "function"}, "targets.internal: a target of kind function needs callable"),
        ({"kind": "recorded"}, "targets.internal: a target of kind recorded needs path or run_id, one of them"),
        ({"kind": "recorded", "path": "a", "run_id": "b"}, "needs path or run_id, one of them"),
        ({"kind": "function", "callable": "a:b", "url": "http://h"}, "a target of kind function has no url, only callable"),
        ({"kind": "orchestrate", "model": "m", "stream": "no"}, "has no model and no stream, only url, token_variable"),
        ({"kind": "openai", "url": "demo"}, "the demo chatbot cannot be driven as openai"),
        ({"kind": "openapi"}, "targets.internal.kind: 'openapi' should be 'orchestrate', 'openai', 'function', 'recorded', 'json' or "),
        ({"url": "http://h"}, "targets.internal.kind is missing"),
        ({"kind": "openai", "url": "http://h", "modle": "m"}, "targets.internal.modle is not a known key (did you mean 'model'?)"),
        ({"kind": "openai", "url": "http://h", "api_key": SECRET}, "targets.internal.api_key is not a known key"),
        ({"kind": "orchestrate", "token_variable": f"sk-{SECRET}"}, "token_variable: must be the name of an environment variable"),
        ({"kind": "openai", "url": "http://h", "model": ""}, "targets.internal.model is empty"),
        (["openai"], "targets.internal: should be a valid dictionary"),
    ],
)
def test_a_target_that_cannot_be_used_is_refused(target: Any, message: str) -> None:
    text = problem(targets={"internal": target})
    assert message in text
    assert SECRET not in text


@pytest.mark.parametrize(("surface", "meant"), [("publik", "public"), ("Internal", "internal"), ("internals", "internal")])
def test_an_unknown_surface_is_refused(surface: str, meant: str) -> None:
    assert f"targets.{surface} is not a known key (did you mean '{meant}'?)" in problem(targets={surface: "orchestrate"})


@pytest.mark.parametrize("targets", [["public"], "orchestrate", 5])
def test_targets_are_given_per_surface(targets: Any) -> None:
    assert "parameter: targets" in problem(targets=targets)


@pytest.mark.parametrize(
    ("changes", "is_demo"),
    [
        ({}, True),
        ({"chatbot_url": "http://h"}, False),
        ({"chatbot_url": "http://h", "judge_url": "demo"}, False),
        ({"chatbot_url": "http://h", "targets": {"internal": {"kind": "orchestrate", "url": "demo"}}}, True),
        ({"targets": {"public": {"kind": "function", "callable": "a:b"}}}, False),
        ({"targets": {"internal": {"kind": "function", "callable": "a:b"}}}, True),
        ({"targets": {"public": {"kind": "function", "callable": "a:b"}, "internal": "orchestrate"}}, True),
    ],
)
def test_a_run_is_a_demo_when_the_demo_chatbot_answers_any_item(changes: dict[str, Any], is_demo: bool) -> None:
    assert load(**changes).is_demo is is_demo


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        Settings().judge_url = OFF  # type: ignore[misc]


def test_a_chatbot_url_from_the_environment_wins_over_a_target_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text(
        "rag_quality:\n  judge_url: off\n  targets: {public: {kind: orchestrate, url: 'http://old.example'}}\n", encoding="utf-8"
    )
    settings, _ = load_settings(path, environ={"GOLDEN_CHATBOT_URL": "http://new.example"})
    target = settings.target_for("public")
    assert target is not None
    assert target.url == "http://new.example"


def test_a_chatbot_url_that_no_target_would_use_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text("rag_quality:\n  judge_url: off\n  targets: {public: {kind: recorded, path: answers.jsonl}}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="kind recorded"):
        load_settings(path, environ={"GOLDEN_CHATBOT_URL": "http://new.example"})


def test_a_key_without_its_prefix_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text("rag_quality:\n  min_pass_rate: 0.95\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="did you mean 'golden_min_pass_rate'"):
        load_settings(path, environ={})


def test_a_key_outside_the_block_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "golden.yaml"
    path.write_text("golden_min_pass_rate: 0.95\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="belongs under 'rag_quality:'"):
        load_settings(path, environ={})


def test_an_unknown_variable_is_named() -> None:
    _, warnings = load_settings(environ={"GOLDEN_ALLOW_UNVERIFIED": "true"})
    assert any("GOLDEN_ALLOW_UNVERIFIED" in warning for warning in warnings)


# --- what a configuration has to name (contract 8) ---

NAMES_NO_CHATBOT, NAMES_NO_JUDGE = "the configuration names no chatbot", "the configuration names no judge"
BOTH = "chatbot_url: https://bot.example\njudge_url: https://judge.example/v1"


def refused(path: Path | None = None, block: str | None = None, *, environ: dict[str, str] | None = None, **overrides: Any) -> str:
    """Why questions cannot be asked with this file and environment; an empty text when they can."""
    if path is not None and block is not None:
        lines = "".join(f"  {line}\n" for line in block.splitlines())
        path.write_text(f"rag_quality:\n{lines}", encoding="utf-8")
    try:
        load_settings(path, overrides, environ or {})
    except SettingsError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("blank", ["", " ", "\t\n"], ids=repr)
@pytest.mark.parametrize(
    "variable",
    [
        "GOLDEN_CHATBOT_URL",
        "GOLDEN_JUDGE_URL",
        "GOLDEN_STORE",
        "GOLDEN_GOLDEN_MIN_PASS_RATE",
        "GOLDEN_TRACEBACK",
        *SECRET_VARIABLES.values(),
    ],
)
@pytest.mark.parametrize("asks", [True, False])
def test_an_empty_variable_is_wrong_use_and_not_an_absent_one(config: Path, variable: str, blank: str, asks: bool) -> None:
    """fd-001: an unset variable of a CI system arrives as an empty text, and the demo was gated."""
    config.write_text(f"rag_quality:\n  {BOTH}\n".replace("\njudge", "\n  judge"), encoding="utf-8")
    for path in (None, config):
        with pytest.raises(SettingsError, match=f"environment variable {variable} is empty"):
            load_settings(path, environ={variable: blank}, asks=asks)


def test_the_token_variable_of_a_target_is_not_empty_either(config: Path) -> None:
    block = f"{BOTH}\ntargets:\n  internal: {{kind: openai, url: 'http://h/v1', token_variable: STAFF_TOKEN}}"
    assert "environment variable STAFF_TOKEN is empty" in refused(config, block, environ={"STAFF_TOKEN": " "})
    assert refused(config, block, environ={"STAFF_TOKEN": "t0ken-of-staff"}) == ""


@pytest.mark.parametrize("empty", ["", "~", "null", '""', '"  "'])
@pytest.mark.parametrize("key", ["chatbot_url", "judge_model", "golden_store", "targets", "chatbot_done_event"])
def test_a_key_without_a_value_is_refused_where_it_stands(config: Path, key: str, empty: str) -> None:
    text = problem(config, f"judge_retries: 1\n{key}: {empty}")
    assert re.match(rf"config:3:\d+: {key} is empty; give it a value, or remove the line", text)


@pytest.mark.parametrize("key", ["chatbot_url", "judge_url", "golden_store", "judge_model"])
def test_an_empty_parameter_is_refused(key: str) -> None:
    assert problem(**{key: " "}) == f"parameter: {key} is empty; give it a value, or leave it out"


@pytest.mark.parametrize(
    ("block", "says"),
    [
        ("judge_url: https://gateway.example/v1", [NAMES_NO_CHATBOT]),  # fd-002
        ("chatbot_url: https://bot.example", [NAMES_NO_JUDGE]),  # fd-003
        ("judge_model: qwen3-32b", [NAMES_NO_CHATBOT, NAMES_NO_JUDGE]),
        ("golden_min_pass_rate: 0.9", [NAMES_NO_CHATBOT, NAMES_NO_JUDGE]),
        ("golden_store: golden.db", [NAMES_NO_CHATBOT, NAMES_NO_JUDGE]),
        ("", ["is empty, so every setting has its default", NAMES_NO_CHATBOT, NAMES_NO_JUDGE]),
        ("judge_url: off\ntargets: {public: orchestrate}", [NAMES_NO_CHATBOT]),
        ("judge_url: off\ntargets: {internal: {kind: json, url: 'http://h'}}", [NAMES_NO_CHATBOT]),
        ("judge_url: off\ntargets: {public: {kind: json, url: 'http://h'}, internal: orchestrate}", [NAMES_NO_CHATBOT]),
        ("targets: {public: {kind: json, url: 'http://h'}}", [NAMES_NO_JUDGE]),
        (BOTH, []),
        ("chatbot_url: demo\njudge_url: demo", []),
        ("chatbot_url: https://bot.example\njudge_url: off", []),
        ("judge_url: off\ntargets: {public: {kind: json, url: 'http://h'}}", []),
        ("judge_url: off\ntargets: {public: {kind: orchestrate, url: demo}}", []),
    ],
)
def test_a_configuration_names_chatbot_and_judge(config: Path, block: str, says: list[str]) -> None:
    text = refused(config, block)
    assert len(text.splitlines()) == len(says)
    for line, said in zip(text.splitlines(), says, strict=True):
        assert said in line
        assert str(config) in line
    if NAMES_NO_CHATBOT in text:
        assert "'chatbot_url: demo' asks the demo on purpose" in text
    if NAMES_NO_JUDGE in text:
        assert re.search("judge_url .* is a URL, off .* or demo", text)


def test_a_file_without_the_block_names_nobody(config: Path) -> None:
    config.write_text("store:\n  url: x\n", encoding="utf-8")
    assert "has no 'rag_quality:' block" in refused(config)
    assert NAMES_NO_CHATBOT in refused(config)


@pytest.mark.parametrize(
    "environ",
    [
        {"GOLDEN_CHATBOT_URL": "https://bot.example"},
        {"GOLDEN_JUDGE_URL": "off"},
        {"GOLDEN_JUDGE_MODEL": "qwen"},
        {"GOLDEN_CHATBOT_TOKEN": "t0ken-of-the-bot"},
        {"GOLDEN_WAREHOUSE": "shop"},
        {"GOLDEN_MIN_PASS_RATE": "0.9"},  # who sets a limit wants something gated
    ],
)
def test_an_environment_that_configures_something_names_both(environ: dict[str, str]) -> None:
    assert "the configuration names no " in refused(environ=environ)
    assert next(iter(environ)) in refused(environ=environ)
    whole = {"GOLDEN_CHATBOT_URL": "demo", "GOLDEN_JUDGE_URL": "demo"} | environ
    assert refused(environ=whole) == ""


@pytest.mark.parametrize("environ", [{}, {"GOLDEN_STORE": "s.db"}, {"GOLDEN_CONCURRENCY": "4"}, {"GOLDEN_TEST_PG_URL": ""}])
def test_where_nothing_is_configured_the_demo_is_asked(environ: dict[str, str]) -> None:
    settings, _ = load_settings(environ=environ)
    assert (settings.chatbot_url, settings.judge_url) == (DEMO, DEMO)


def test_a_file_and_the_environment_name_them_together(config: Path) -> None:
    assert refused(config, "judge_url: off", environ={"GOLDEN_CHATBOT_URL": "https://bot.example"}) == ""


@pytest.mark.parametrize(
    ("overrides", "says"),
    [
        ({"judge_url": "off"}, ""),
        ({"demo_degraded": True, "golden_store": "s.db"}, ""),
        ({"chatbot_url": "https://bot.example"}, NAMES_NO_JUDGE),
        ({"judge_url": "https://gateway.example/v1"}, NAMES_NO_CHATBOT),
        ({"targets": {"public": {"kind": "json", "url": "http://h"}}}, NAMES_NO_JUDGE),
    ],
)
def test_a_real_end_given_as_a_parameter_asks_for_the_other_one(overrides: dict[str, Any], says: str) -> None:
    assert says in refused(**overrides)
    assert bool(refused(**overrides)) is bool(says)


def test_nothing_has_to_be_named_where_nobody_is_asked(config: Path) -> None:
    config.write_text("rag_quality:\n  golden_store: team.db\n", encoding="utf-8")
    assert load_settings(config, environ={}, asks=False)[0].golden_store == "team.db"


# --- addresses that tell a password ---


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://u:p@{SECRET}@host/db",  # fd-079
        f"postgresql+psycopg://u:p?@{SECRET}@host/db",
        f"postgresql://u:p/@{SECRET}@host/db",
        f"mysql://u:p#@{SECRET}@host/db",
    ],
)
@pytest.mark.parametrize(("key", "variable"), [("golden_store", "GOLDEN_STORE"), ("warehouse", "GOLDEN_WAREHOUSE")])
def test_two_at_signs_are_refused_without_showing_any_of_it(config: Path, key: str, variable: str, url: str) -> None:
    for text in (problem(environ={variable: url}), problem(**{key: url}), problem(config, f"{key}: '{url}'")):
        assert "two @" in text
        assert "percent-encode the password" in text
        assert SECRET not in text
        assert "host/db" not in text


@pytest.mark.parametrize("key", ["chatbot_url", "judge_url"])
@pytest.mark.parametrize(
    "url",
    [
        f"http://u:p@{SECRET}@host",
        f"http://u:{SECRET}/x@host",
        f"https://u:{SECRET}\u2100@host",
        f"http://host:{SECRET}",
        f"http://[{SECRET}@h",
    ],
)
def test_no_part_of_a_server_s_address_that_cannot_be_read_is_shown(key: str, url: str) -> None:
    for text in (problem(environ={f"GOLDEN_{key.upper()}": url}), problem(**{key: url})):
        assert SECRET not in text or "@" not in url  # without a @ nothing says that it is a password
        if "@" in url:
            assert "percent-encode" in text


@pytest.mark.parametrize("words", [f"host=db password={SECRET}", f"user=u  password = '{SECRET}'", f"Server=db;Database=x;Pwd={SECRET}"])
@pytest.mark.parametrize(("key", "variable"), [("golden_store", "GOLDEN_STORE"), ("warehouse", "GOLDEN_WAREHOUSE")])
def test_a_connection_string_of_words_is_refused_and_not_shown(key: str, variable: str, words: str) -> None:
    for text in (problem(environ={variable: words}), problem(**{key: words})):
        assert "write it as postgresql://user@host:5432/name" in text
        assert SECRET not in text


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////data/a@b@c.db",
        "data/a@b@c.db",
        "golden.db",
        "host.db",
        "postgresql://u:p%40ss@h/d",
        "my database=1.db",
        "postgresql:///d?host=/tmp",
    ],
)
def test_addresses_that_can_be_told_apart_are_taken(url: str) -> None:
    if url != "my database=1.db":
        assert load(environ={"GOLDEN_STORE": url}).golden_store == url
    else:
        assert "is a connection string" in problem(environ={"GOLDEN_STORE": url})


@pytest.mark.parametrize(
    ("judge", "is_told"),
    [
        ({"judge_url": "http://judge.example/v1"}, True),
        ({"judge_url": "http://judge.example/v1", "judge_model": "demo"}, False),
        ({"judge_url": "demo"}, False),
        ({"judge_url": "off"}, False),
    ],
)
def test_a_real_judge_whose_model_nobody_named_is_told(judge: dict[str, str], is_told: bool) -> None:
    _, warnings = load_settings(None, {"chatbot_url": "http://chatbot.example", **judge}, {})
    assert [warning.endswith("set judge_model (GOLDEN_JUDGE_MODEL)") for warning in warnings] == [True] * is_told
