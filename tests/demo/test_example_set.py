"""The example set: right answers in the words of the regulations, and in everyday ones, pass the fact gate of their items."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from goldenlib.files.loading import load_set
from goldenlib.files.shipped import shipped
from goldenlib.folding import fold
from goldenlib.hazards import Severity, WordList, lint_set
from goldenlib.items import Item
from goldenlib.scoring.facts import check_facts

ANSWERS = yaml.safe_load((Path(__file__).parent / "regulation_answers.yaml").read_text(encoding="utf-8"))
# What nobody says, and what the regulations do not (field/law); none of it may come back.
NOT_IN_THE_REGULATIONS = (
    "seperempat", "akta tidak dapat lagi dipakai", "tidak sedang sengketa", "hanya dapat didirikan bersama rekan", "adalah hal yang sama",
    "ditetapkan bebas oleh ketua", "laporan audit tiga tahun", "tanggal untuk datang kembali",
)  # fmt: skip


# What people get wrong, in sentences that hold the required phrases too: replaced law, a neighbouring rule, hearsay.
WRONG = {
    "pt-perorangan-akta": "PT perorangan wajib akta notaris; pernyataan pendirian hanya lampiran.",
    "pt-perorangan-batas-modal": (
        "Usaha Mikro memiliki kekayaan bersih paling banyak Rp50.000.000,00 (lima puluh juta rupiah); hasil penjualan usaha kecil paling"
        " banyak Rp2,5 miliar."
    ),
    "pt-modal-dasar": "Modal dasar minimum PT adalah Rp50 juta, dengan keputusan pendiri.",
    "pt-direksi-komisaris": (
        "Pengurusan perseroan ada pada keduanya: Dewan Komisaris menjalankan pengurusan, melakukan pengawasan, dan memberi nasihat."
    ),
    "yayasan-gaji-pengurus": "Boleh. Pendiri yayasan boleh digaji bila bekerja secara langsung dan penuh.",
    "apostille-biaya": "Rp100.000 per dokumen, atau Rp150.000 untuk yang cepat.",
    "apostille-cara-mengajukan": "Apostille diurus di Kementerian Luar Negeri sesudah mengunggah dokumen.",
    "apostille-lama-proses": "Paling lama 7 hari kerja.",
    "apostille-pengambilan-kuasa": "Pengambilan tidak dapat diwakilkan, juga dengan surat kuasa.",
    "apostille-tiongkok": "Sekalipun konvensi berlaku sejak November 2023, legalisasi kedutaan tetap wajib untuk Tiongkok.",
}


@cache
def items() -> dict[str, Item]:
    return {item.id: item for item in load_set([shipped("golden", "example.yaml")]).items}


def test_each_public_item_is_answered() -> None:
    assert [answer["id"] for answer in ANSWERS] == [item.id for item in items().values() if item.surface == "public"]
    assert {answer["certainty"] for answer in ANSWERS} == {"A", "B", "C"}
    assert all(answer["source"] for answer in ANSWERS)


@pytest.mark.parametrize("wording", ["statute", "everyday", "denied"])
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer["id"])
def test_a_right_answer_passes_the_fact_gate_in_the_words_of_the_regulation_and_in_everyday_ones(
    answer: dict[str, str], wording: str
) -> None:
    """field/law: 13 of 18 answers written as the regulations put it failed."""
    if wording in answer:
        score = check_facts(items()[answer["id"]].expected, answer[wording])
        assert score is not None
        assert score.passed, score.reason


@pytest.mark.parametrize("item_id", WRONG)
def test_what_people_get_wrong_fails(item_id: str) -> None:
    score = check_facts(items()[item_id].expected, WRONG[item_id])
    assert score is not None
    assert "says '" in score.reason
    assert not score.passed


def test_only_items_without_a_claim_that_can_be_denied_have_no_denial() -> None:
    without = [answer["id"] for answer in ANSWERS if "denied" not in answer]
    assert without == ["perkumpulan-hak-anggota", "apostille-biaya"]


@pytest.mark.parametrize("item", items().values(), ids=lambda item: item.id)
def test_an_item_names_its_article_and_says_how_sure_that_is(item: Item) -> None:
    if item.surface == "public":
        assert any(mark in fold(item.note) for mark in ("dicocokkan dengan", "menurut ingatan", "dipastikan ahli hukum"))
    assert not item.verified


@pytest.mark.parametrize("answer", [answer for answer in ANSWERS if answer["certainty"] == "C"], ids=lambda answer: answer["id"])
def test_what_is_unsure_is_to_be_confirmed_by_a_lawyer(answer: dict[str, str]) -> None:
    assert "perlu dipastikan ahli hukum" in fold(items()[answer["id"]].note)


def test_dated_regulations_are_named_as_replaced() -> None:
    for name in ("example.yaml", *(f"demo/kb/{page}.md" for page in ("apostille", "perkumpulan", "pt-perorangan"))):
        text = fold(shipped("golden", *name.split("/")).read_text(encoding="utf-8"))
        for dated in ("permenkumham 21/2021", "permenkumham 3/2016", "permenkumham 6/2022", "hak asasi manusia nomor"):
            assert dated not in text or "diganti" in text


@pytest.mark.parametrize("phrase", NOT_IN_THE_REGULATIONS)
def test_words_that_nobody_uses_are_gone(phrase: str) -> None:
    assert phrase not in shipped("golden", "example.yaml").read_text(encoding="utf-8")


def test_the_set_has_no_errors_and_no_warnings() -> None:
    findings = lint_set(list(items().values()), words=WordList.load())
    assert [finding for finding in findings if finding.severity is not Severity.NOTE] == []
