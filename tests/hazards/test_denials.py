"""Denials: phrases that a denial of them contains, in Indonesian and English."""

from __future__ import annotations

import pytest

from goldenlib.folding import fold
from goldenlib.hazards import Severity, StoredEvidence
from goldenlib.hazards.denials import DenialShape, denials, shape_of
from goldenlib.hazards.stored import StoredAnswer, denials_in
from tests.hazards.contracts import CLEAN, a_contract, codes, found, severity_of, stored

WARNING, NOTE = Severity.WARNING, Severity.NOTE


@pytest.mark.parametrize(
    "phrase",
    [
        "wajib akta notaris", "harus memakai akta notaris", "dapat dikuasakan", "perlu persetujuan Menteri", "diperlukan saksi",
        "akta notaris", "surat kuasa", "notaris", "dikenakan denda", "berlaku selamanya", "selalu wajib hadir",
        "requires a notary deed", "need a notary", "mandatory", "free of charge", "notarial deed", "notary required",
        "ada biaya", "kena denda", "punya modal", "any fee", "mungkin", "wajib lapor", "mutlak diperlukan", "melalui pengadilan",
        "ke notaris", "hangus", "legally binding", "notarized", "guaranteed by law",
        "payable to the state", "liable", "be registered", "a legal entity", "minimum capital", "tunduk pada hukum asing", "setoran modal",
    ],
)  # fmt: skip
def test_a_forbidden_phrase_inside_its_own_denial_is_a_warning(phrase: str) -> None:
    assert severity_of(a_contract(forbidden=[phrase]), "own-denial") is WARNING


@pytest.mark.parametrize(
    "phrase",
    [
        "PT perorangan wajib akta notaris", "apostille dapat dikuasakan", "pengambilan tidak dapat dikuasakan",
        "tidak wajib akta notaris", "tanpa akta notaris", "paling lambat 90 hari", "biayanya adalah gratis",
        "must use a notary", "the deed is required", "can be transferred", "not required", "Tiongkok belum menjadi negara pihak",
        "telah dicabut", "sudah terdaftar", "masih berlaku", "still valid", "adalah badan hukum", "you need a notary",
        "don\u2019t pay", "I'm a notary",
    ],
)  # fmt: skip
def test_a_phrase_that_a_denial_breaks_is_no_hazard(phrase: str) -> None:
    assert "own-denial" not in codes(a_contract(forbidden=[phrase]))


@pytest.mark.parametrize("phrase", ["legal", "valid", "active", "foreigners"])
def test_a_denial_is_said_in_the_language_of_the_question(phrase: str) -> None:
    finding = found(a_contract(forbidden=[phrase], question="What do I need to apply for a permit?"), "own-denial")[phrase]
    assert f"not {phrase}" in finding.message


@pytest.mark.parametrize("phrase", ["lebih dari satu orang", "kurang dari 17 tahun", "more than one person"])
def test_a_comparison_may_be_denied_as_a_whole(phrase: str) -> None:
    assert severity_of(a_contract(forbidden=[phrase]), "own-denial") is NOTE


@pytest.mark.parametrize(
    ("phrase", "denial"),
    [
        ("with a lawyer", "not with a lawyer"), ("a fee", "without a fee"), ("more than one person",
        "not more than one person"), ("as an officer", "not as an officer"),
        ("golongan a", "bukan golongan a"), ("sim a umum", "bukan sim a umum"), ("uu no. 40", "bukan uu no. 40"),
    ],
)  # fmt: skip
def test_a_denial_is_said_as_people_say_it(phrase: str, denial: str) -> None:
    assert denials(phrase)[0] == denial


@pytest.mark.parametrize("phrase", ["diubah menjadi persekutuan komanditer", "pengesahan kebenaran isi dokumen oleh Menteri"])
def test_a_long_phrase_is_seldom_denied_word_by_word(phrase: str) -> None:
    assert severity_of(a_contract(forbidden=[phrase]), "own-denial") is NOTE


def test_the_denial_is_shown_and_holds_the_phrase() -> None:
    finding = found(a_contract(forbidden=["wajib akta notaris"]), "own-denial")["wajib akta notaris"]
    assert "tidak wajib akta notaris" in finding.message
    for phrase in ("wajib akta notaris", "akta notaris", "Jawa Barat", "required", "needs a deed", "pay a fee"):
        assert all(fold(phrase) in denial for denial in denials(fold(phrase)))


def test_the_suggestion_names_who_the_question_is_about_and_is_no_hazard_itself() -> None:
    item = a_contract(forbidden=["wajib akta notaris"], question="Apakah PT perorangan perlu ke notaris?")
    suggestion = found(item, "own-denial")["wajib akta notaris"].suggestion
    assert "PT perorangan wajib akta notaris" in suggestion
    assert "own-denial" not in codes(a_contract(forbidden=["PT perorangan wajib akta notaris"]))


def test_stored_answers_that_deny_the_phrase_are_counted_and_shown() -> None:
    texts = ["PT perorangan tidak wajib akta notaris.", "Tidak lagi **wajib akta notaris**", "PT biasa wajib akta notaris."]
    finding = found(a_contract(forbidden=["wajib akta notaris"]), "own-denial", evidence=StoredEvidence(stored(*texts)))
    evidence = finding["wajib akta notaris"].evidence
    assert "denied in 2 of 3 stored answers to this item" in evidence
    assert any("pt perorangan tidak wajib akta notaris." in line for line in evidence)
    assert "in 3 of 3 stored answers to this item; 3 of them passed" in evidence


def test_a_denial_in_a_stored_answer_makes_a_warning_of_any_phrase() -> None:
    phrase = "paling lambat 90 hari"
    evidence = StoredEvidence(stored("Tenggatnya bukan paling lambat 90 hari, melainkan 60 hari."))
    assert severity_of(a_contract(forbidden=[phrase]), "own-denial", evidence=evidence) is WARNING


@pytest.mark.parametrize(
    "text",
    [
        "tidak wajib lapor", "bukan wajib lapor", "belum wajib lapor", "tidak lagi wajib lapor", "jangan wajib lapor",
        "kecuali wajib lapor", "not wajib lapor", "no longer wajib lapor", "tidak selalu wajib lapor", "tidak *wajib lapor",
        "belum tentu wajib lapor", "tdk wajib lapor", "don't wajib lapor", "don\u2019t wajib lapor", "tidak semua wajib lapor",
        "bukan merupakan wajib lapor", "tidak secara otomatis wajib lapor", "sama sekali tidak wajib lapor", "hardly wajib lapor",
        "tidak harus melalui wajib lapor", "bebas dari wajib lapor", "tidak \u201cwajib lapor\u201d", "no longer need a wajib lapor",
    ],
)  # fmt: skip
def test_denials_are_recognised_in_answers(text: str) -> None:
    assert denials_in([StoredAnswer("a", text)], "wajib lapor")[0] == 1


@pytest.mark.parametrize("text", ["pt wajib lapor", "batidak wajib lapor", "tidak benar. pt wajib lapor", "wajib lapor, bukan tidak"])
def test_what_only_stands_near_a_denial_is_none(text: str) -> None:
    assert denials_in([StoredAnswer("a", text)], "wajib lapor")[0] == 0


@pytest.mark.parametrize("phrase", ["resmi", "wajib lapor", "boleh dibagikan", "mandatory"])
def test_a_required_phrase_that_its_denial_satisfies_is_a_warning_without_a_rubric(phrase: str) -> None:
    assert severity_of(a_contract([phrase], rubric=""), "required-denied") is WARNING


def test_the_judge_still_sees_a_denial_where_there_is_a_rubric() -> None:
    assert severity_of(a_contract(["resmi"]), "required-denied") is NOTE


def test_a_longer_fact_is_a_warning_only_where_the_question_asks_yes_or_no() -> None:
    phrase = "wajib menyampaikan laporan keuangan"
    assert severity_of(a_contract([phrase], rubric=""), "required-denied") is NOTE
    assert severity_of(a_contract([phrase], rubric="", question="Apakah ada kewajiban?"), "required-denied") is WARNING


@pytest.mark.parametrize(("phrase", "severity"), [("diwakilkan", WARNING), ("badan hukum", NOTE)])
def test_who_is_asked_yes_or_no_denies_other_words_too(phrase: str, severity: Severity) -> None:
    assert severity_of(a_contract([phrase], rubric="", question="Apakah itu benar?"), "required-denied") is severity
    assert severity_of(a_contract([phrase], rubric=""), "required-denied") is None


@pytest.mark.parametrize(
    ("question", "phrase", "denial"),
    [
        ("Apa itu yayasan?", "badan hukum", "bukan badan hukum"),
        ("Siapa notaris itu?", "pejabat umum", "bukan pejabat umum"),
        ("Apa kekuatan akta notaris?", "akta autentik", "bukan akta autentik"),
        ("Apa yang dimaksud perkumpulan?", "kumpulan orang", "bukan kumpulan orang"),
        ("Bagaimana ketentuannya?", "disahkan", "belum disahkan"),
        ("Bagaimana ketentuannya?", "telah disahkan", "belum tentu telah disahkan"),
        ("Bagaimana ketentuannya?", "sudah terdaftar", "belum tentu sudah terdaftar"),
        ("What is a foundation?", "legal entity", "not legal entity"),
        ("Apa beda CV dan PT?", "badan hukum", "bukan badan hukum"),
        ("CV itu badan usaha atau bukan?", "badan usaha", "bukan badan usaha"),
        ("Kapan?", "telah berlaku", "belum tentu telah berlaku"),
    ],
)
def test_what_something_is_and_whether_it_is_done_are_denied_in_the_words_of_the_phrase(question: str, phrase: str, denial: str) -> None:
    """fd-046, fd-047, field/texts."""
    finding = found(a_contract([phrase], question=question), "required-denied")[phrase]
    assert finding.severity is NOTE
    assert f"“{denial}”" in finding.message


def test_what_something_is_by_law_is_a_warning_where_no_rubric_stands_beside_it() -> None:
    assert severity_of(a_contract(["badan hukum"], rubric="", question="Apa itu yayasan?"), "required-denied") is WARNING


def test_a_forbidden_status_is_inside_its_own_denial() -> None:
    assert severity_of(a_contract(forbidden=["badan hukum"]), "own-denial") is WARNING


@pytest.mark.parametrize("phrase", ["bidang sosial, keagamaan, dan kemanusiaan", "harta kekayaan pendiri", "yayasan adalah badan hukum"])
def test_a_longer_definition_is_not_denied_word_by_word(phrase: str) -> None:
    assert "required-denied" not in codes(a_contract([phrase], question="Apa itu yayasan?"))


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("Perlu ke notaris tidak?", "harus memakai akta notaris"),
        ("Apakah biaya apostille bisa dikembalikan?", "dapat dikembalikan"),
        ("Mau ganti nama PT, aturannya gimana?", "memerlukan persetujuan Menteri"),
        ("Apakah PT perorangan perlu ke notaris?", "diperlukan saksi"),
        ("Apakah PT perorangan perlu ke notaris?", "dapat dikembalikan"),
        ("Apakah PT perorangan perlu ke notaris?", "gratis"),
        ("Apakah apostille wajib?", "harus memakai akta notaris"),
        ("Apakah notaris wajib hadir?", "harus memakai akta notaris"),
        ("Apakah pendiri PT harus WNI?", "boleh warga asing"),
        ("Berapa modal yayasan?", "harus disetor penuh"),
    ],
)
def test_no_phrase_is_suggested_that_makes_no_sentence(question: str, phrase: str) -> None:
    """field/docs 3: "notaris harus memakai akta notaris", "apostille dapat dikembalikan"."""
    suggestion = found(a_contract(forbidden=[phrase], question=question), "own-denial")[phrase].suggestion
    assert "Write the claim with its subject" in suggestion
    assert phrase not in suggestion


@pytest.mark.parametrize(
    ("question", "phrase", "better"),
    [
        ("Bolehkah yayasan membagi laba?", "boleh membagi laba", "yayasan boleh membagi laba"),
        ("Kapan PT wajib diaudit?", "wajib diaudit setiap tahun", "PT wajib diaudit setiap tahun"),
        ("Yayasan boleh bagi hasil nggak?", "dapat membagikan hasil", "yayasan dapat membagikan hasil"),
        ("Apakah perkumpulan itu harus berakta notaris?", "harus memakai akta notaris", "perkumpulan harus memakai akta notaris"),
    ],
)
def test_the_subject_of_the_question_is_named_where_it_makes_a_sentence(question: str, phrase: str, better: str) -> None:
    assert f"“{better}”" in found(a_contract(forbidden=[phrase], question=question), "own-denial")[phrase].suggestion


def test_two_words_are_denied_less_often_than_one() -> None:
    assert severity_of(a_contract(forbidden=["Yogyakarta"]), "own-denial") is WARNING
    assert severity_of(a_contract(forbidden=["Jawa Barat"]), "own-denial") is NOTE


@pytest.mark.parametrize("phrase", ["tidak wajib akta notaris", "PT perorangan wajib lapor", "warga negara Indonesia", CLEAN])
def test_a_required_phrase_that_its_denial_breaks_is_no_hazard(phrase: str) -> None:
    assert "required-denied" not in codes(a_contract([phrase], rubric=""))


@pytest.mark.parametrize(
    ("phrase", "shape"),
    [
        ("wajib pajak badan", DenialShape.UNKNOWN),
        ("wajib akta notaris", DenialShape.MODAL),
        ("akan ditetapkan kemudian", DenialShape.VERB),
        ("direksi perseroan", DenialShape.NOUN),
        ("berita negara", DenialShape.UNKNOWN),
        ("akta yang dibuat notaris", DenialShape.NOUN),
        ("berusia paling rendah 21 tahun", DenialShape.AMOUNT),
        ("...", DenialShape.UNKNOWN),
    ],
)
def test_the_shape_of_a_phrase_follows_its_first_words(phrase: str, shape: DenialShape) -> None:
    assert shape_of(phrase) is shape
