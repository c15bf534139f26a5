"""Realistic reports, for tests that look at a whole report and for looking at them oneself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from goldenlib.answers import Evidence, EvidenceKind, Result, RunRecord, Score, Status
from goldenlib.gating import Baseline
from goldenlib.reporting.report import HistoryMark, Report
from tests.builders import RUN_AT, a_history, a_report, a_result, a_run, a_skip, a_trend, an_error

RUN_ID = "2026-11-29T08-14-03Z-7f3a"
EARLIER_RUN_ID = "2026-11-22T08-13-40Z-1b9c"
TREND = ((31, 37), (33, 37), (32, 36), (34, 37), (32, 35), (34, 37), (33, 37), (29, 37))


@dataclass(frozen=True)
class _Topic:
    domain: str
    prefix: str
    question: str
    answer: str
    facts: tuple[str, ...]


_PT = _Topic(
    "badan-hukum-pt",
    "pt",
    "Apa saja syarat mendirikan PT perorangan?",
    "Pendiri PT perorangan harus **WNI**, berusia minimal 17 tahun, dan hanya satu orang.\n\nLangkahnya:\n"
    "1. Siapkan KTP dan NPWP.\n2. Daftar di ptp.ahu.go.id.\n3. Isi pernyataan pendirian secara elektronik.",
    ("WNI", "berusia minimal 17 tahun", "satu orang"),
)
_APOSTILLE = _Topic(
    "apostille",
    "apostille",
    "Berapa biaya apostille, dan di mana mengajukannya?",
    "Layanan apostille dikenakan PNBP Rp150.000 per dokumen. Permohonan di apostille.ahu.go.id diproses dalam tiga hari kerja.",
    ("Rp150.000", "apostille.ahu.go.id"),
)
_YAYASAN = _Topic(
    "yayasan",
    "yayasan",
    "Apa saja organ yayasan menurut undang-undang?",
    "Menurut Undang-Undang Nomor 16 Tahun 2001, organ yayasan adalah Pembina, Pengurus, dan Pengawas. Ketiganya tidak boleh dirangkap.",
    ("Pembina", "Pengurus", "Pengawas"),
)
_FIDUSIA = _Topic(
    "fidusia",
    "fidusia",
    "Berapa lama batas pendaftaran jaminan fidusia?",
    "Jaminan fidusia didaftarkan notaris paling lama 30 hari sejak akta dibuat, melalui fidusia.ahu.go.id.",
    ("30 hari", "notaris"),
)
_TOPICS = (_PT, _APOSTILLE, _YAYASAN, _FIDUSIA)
_ENDINGS = ("syarat", "biaya-akta", "jangka-waktu", "dokumen", "pengesahan", "pembubaran", "perubahan", "pengurus")


def mixed_report() -> Report:
    """42 items: 29 of 37 passed, 8 failed, 3 errors, 2 skipped, 11 not verified; blocked, with three kinds of regression."""
    passing = [_passing(number) for number in range(29)]
    passing = [replace(result, verified=number % 6 != 5) for number, result in enumerate(passing)]
    results = [replace(result, run_id=RUN_ID) for result in (*passing[:9], *_failing(), *passing[9:], *_errors(), *_skips())]
    marks = ("pppppppf", "ppfp·pff", "ppppfppp", "··pppppp")
    histories = {result.item_id: a_history(marks[index % 2 + 2 * bool(result.passed)]) for index, result in enumerate(results)}
    histories |= {result.item_id: a_history("ppppp·p·") for result in _errors()} | {result.item_id: a_history("··") for result in _skips()}
    then = {result.item_id: replace(result, run_id=EARLIER_RUN_ID) for result in _before()}
    earlier: dict[str, Result | Baseline] = {**then, "pt-modal-dasar": Baseline(then["pt-modal-dasar"], "qwen2.5-14b", "0" * 64)}
    return a_report(
        *results,
        run=_run(),
        baselines=earlier,
        trend=a_trend(*TREND),
        history=histories,
        warnings=("golden/ahu.yaml: item 'fidusia-syarat' was due for review on 2026-10-01",),
    )


def pass_report() -> Report:
    """A run in which everything is verified and passes."""
    results = [_passing(number) for number in range(24)]
    histories = {result.item_id: a_history("fpp") for result in results}
    return a_report(*results, run=_run(set_size=24), trend=a_trend((22, 24), (23, 24), (24, 24)), history=histories, allow_unverified=False)


def error_report() -> Report:
    """A run in which the chatbot was down."""
    reason = "could not connect to chatbot.staging:443 after 3 attempts: connection refused"
    results = [_error(f"pt-{ending}", _PT, reason, text="") for ending in _ENDINGS]
    return a_report(*results, run=_run(set_size=8), trend=a_trend((29, 37), (31, 37), (0, 0)))


def big_report(items: int = 5000) -> Report:
    """A large set in which every twelfth item fails and every hundredth ends in an error."""
    results = []
    for number in range(items):
        kind = (
            _failing()[number % 8]
            if number % 12 == 0
            else _error("", _APOSTILLE, "no answer within 120 s")
            if number % 100 == 1
            else _passing(number)
        )
        results.append(replace(kind, item_id=f"item-{number:05}"))
    histories = {result.item_id: a_history("ppfppppp") for result in results}
    return a_report(*results, run=_run(set_size=items), trend=a_trend((4400, 4950), (4533, 4950)), history=histories)


HOSTILE = (
    "<script>document.title='owned';alert(1)</script><img src=http://127.0.0.1:9/x onerror=alert(1)>"
    "</style></textarea></title><svg/onload=alert(2)>]]>{{7*7}}{%raw%}{#x#}[bold red]rich[/]\x1b[2J\x1b[31mred\x07"
    "\u202egpj.exe\u202c =cmd|' /C calc'!A0 | a | `code` ``` @everyone #123 !45 http://evil.example/x www.evil.example "
    "a@evil.example \ud800 \x00 \ufffe &lt;b&gt; \r\n# heading\r- list\u2028<!-- comment --> "
    "![x](http://127.0.0.1:9/i) [y](javascript:alert(3))"
)


def hostile_report() -> Report:
    """A run in which every text from outside tries to be more than text."""
    texts = [HOSTILE, "/etc/hostname", '=HYPERLINK("http://evil.example")', "مرحبا بالعالم " * 20, "z\u0337\u0322\u031b" * 200, "W" * 3000]
    results = [
        a_result(
            f"{number}-{HOSTILE}",
            text,
            present=("rich",),
            missing=(HOSTILE,),
            forbidden=("<script>", "alert(1)"),
            domain=HOSTILE,
            question=text,
            reason=HOSTILE,
            verified=number % 2 == 0,
        )
        for number, text in enumerate(texts)
    ]
    results += [an_error(f"error-{HOSTILE}", HOSTILE, question=HOSTILE), a_skip(HOSTILE, reason=HOSTILE), a_result("fine", HOSTILE)]
    then: dict[str, Result | Baseline] = {results[0].item_id: a_result(results[0].item_id, HOSTILE)}
    names = dict.fromkeys(("run_id", "set_name", "target", "judge_model", "selection", "series"), HOSTILE)
    marks = {result.item_id: (HistoryMark(HOSTILE, RUN_AT, True), HistoryMark(HOSTILE, RUN_AT, False)) for result in results}
    run = _run(**names, settings={HOSTILE: HOSTILE}, set_size=len(results))
    return a_report(*results, run=run, baselines=then, warnings=(HOSTILE,), history=marks, trend=a_trend((1, 2), (1, 3)))


def _passing(number: int) -> Result:
    topic = _TOPICS[number % 4]
    name = f"{topic.prefix}-{_ENDINGS[number // 4 % 8]}"
    return a_result(
        name,
        topic.answer,
        present=topic.facts,
        judge=(0.95, 0.9, 0.85, 1.0, 0.8)[number % 5],
        domain=topic.domain,
        question=topic.question,
        reason=f"all {len(topic.facts)} facts present",
    )


def _failing() -> list[Result]:
    outdated = "Saat ini biaya apostille adalah Rp100.000 per dokumen. Permohonan di apostille.ahu.go.id diproses dalam tiga hari kerja."
    two_organs = "Menurut Undang-Undang Nomor 16 Tahun 2001, organ yayasan adalah Pembina dan Pengurus. Keduanya tidak boleh dirangkap."
    notary = "PT perorangan didirikan oleh satu orang WNI. Pendirian wajib akta notaris, lalu didaftarkan di ptp.ahu.go.id."
    capital = "Modal dasar PT ditentukan oleh kesepakatan para pendiri; paling sedikit 25 % harus ditempatkan dan disetor penuh."
    return [
        _failed(
            "apostille-biaya",
            _APOSTILLE,
            outdated,
            missing=("Rp150.000",),
            present=("apostille.ahu.go.id",),
            judge=0.3,
            says="the fee is outdated",
        ),
        _failed(
            "pt-modal-dasar",
            _PT,
            capital,
            present=("kesepakatan para pendiri",),
            judge=0.6,
            says="does not say that the old minimum is gone",
        ),
        _failed("yayasan-organ", _YAYASAN, two_organs, missing=("Pengawas",), present=("Pembina", "Pengurus"), judge=0.5, verified=False),
        _failed("pt-perorangan-akta", _PT, notary, forbidden=("wajib akta notaris",), present=("WNI", "satu orang"), judge=None),
        _near_miss(),
        _failed(
            "fidusia-batas-waktu",
            _FIDUSIA,
            "Pendaftaran dilakukan notaris secepatnya.",
            missing=("30 hari",),
            present=("notaris",),
            judge=0.4,
        ),
        _failed(
            "yayasan-kekayaan-awal", _YAYASAN, "Kekayaan awal minimal Rp5.000.000.", missing=("Rp10.000.000",), judge=0.1, verified=False
        ),
        _failed(
            "apostille-negara",
            _APOSTILLE,
            "Apostille berlaku di semua negara.",
            forbidden=("semua negara",),
            missing=("Konvensi",),
            judge=0.0,
        ),
    ]


def _failed(item_id: str, topic: _Topic, text: str, *, says: str = "", **changes: Any) -> Result:
    result = a_result(item_id, text, **{"domain": topic.domain, "question": topic.question} | changes)
    facts = result.scores[0].reason if result.missing or result.forbidden else ""
    judge = f"judge: {says}" if says else "judge: no verdict (HTTP 503 after 4 attempts)" if result.score is None else ""
    verdict = replace(
        result.scores[1], reason=says or "the answer lacks a fact of the rubric", raw=('{"correctness": 0.3, "passed": false}',)
    )
    return replace(result, reason=" · ".join(part for part in (facts, judge) if part) or "failed", scores=(result.scores[0], verdict))


def _near_miss() -> Result:
    text = "Pendiri harus WNI dan berusia minimal **17** tahun pada saat pendaftaran."
    near = Evidence(EvidenceKind.NEAR_MISS, "17 tahun", "berusia minimal **17** tahun pada saat", 16, 28)
    result = _failed("pt-usia-minimal", _PT, text, missing=("17 tahun",), present=("WNI",), judge=0.9)
    facts = Score("facts", None, False, "missing '17 tahun' - the answer has '**17** tahun'", evidence=(*result.scores[0].evidence, near))
    return replace(result, reason="missing '17 tahun' - the answer has '**17** tahun'", scores=(facts, result.scores[1]))


def _before() -> list[Result]:
    """What the regressed items answered a week earlier."""
    fee = "Layanan apostille dikenakan PNBP Rp150.000 per dokumen. Permohonan di apostille.ahu.go.id diproses dalam tiga hari kerja."
    capital = "Modal dasar PT ditentukan oleh kesepakatan para pendiri; paling sedikit 25 % harus ditempatkan dan disetor penuh."
    return [
        a_result("apostille-biaya", fee, judge=0.9),
        a_result("yayasan-organ", _YAYASAN.answer, judge=0.9, verified=False),
        a_result("pt-modal-dasar", capital, judge=0.8),
    ]


def _errors() -> list[Result]:
    no_verdict = _passing(3)
    return [
        _error("pt-perubahan-alamat", _PT, "stream broke after 212 characters"),
        _error("yayasan-akta", _YAYASAN, "no answer within 120 s", text=""),
        replace(
            a_result(
                "fidusia-hapus",
                no_verdict.answer.text if no_verdict.answer else "",
                judge=None,
                domain="fidusia",
                question=_FIDUSIA.question,
            ),
            status=Status.ERROR,
            passed=None,
            reason="judge error: passed is text, not true or false: 'false' (asked 2 times)",
        ),
    ]


def _error(item_id: str, topic: _Topic, reason: str, *, text: str | None = None) -> Result:
    error = an_error(item_id, reason, domain=topic.domain, question=topic.question)
    return replace(error, answer=replace(error.answer, text=topic.answer[:60] if text is None else text)) if error.answer else error


def _skips() -> list[Result]:
    return [a_skip("int-jumlah-pt-2025", verified=False), a_skip("int-provinsi-terbanyak", verified=False)]


def _run(**changes: Any) -> RunRecord:
    settings = {
        "chatbot_url": "https://chatbot.staging",
        "judge_url": "http://gateway.internal/v1",
        "judge_model": "qwen3-32b",
        "golden_min_pass_rate": "0.8",
        "golden_pass_threshold": "0.7",
        "golden_concurrency": 16,
        "golden_store": "postgresql://golden:***@db.internal/golden",
    }
    return a_run(**{"run_id": RUN_ID, "set_size": 42, "settings": settings, "allow_unverified": True} | changes)
