"""Brittle phrases: what right answers write otherwise."""

from __future__ import annotations

import pytest

from goldenlib.hazards import Severity, StoredEvidence
from goldenlib.hazards.rules import RULES
from tests.hazards.contracts import a_contract, codes, found, lint, severity_of, stored

WARNING, NOTE = Severity.WARNING, Severity.NOTE

# code -> phrases that it is about
BRITTLE = {
    "sentence-not-fact": [
        "Pendiri PT perorangan harus warga negara Indonesia.",
        "pendiri perseroan perorangan haruslah warga negara Indonesia yang sudah cakap hukum menurut peraturan yang berlaku",
        "Cukup satu orang. Akta notaris menyusul",
    ],
    "list-in-phrase": ["Pembina, Pengurus, dan Pengawas", "KTP, KK dan NPWP", "KTP atau paspor", "izin dan/atau akta", "KTP or passport",
        "SIUP dan NIB", "KTP, KK", "WNI; KTP; NPWP", "1,000; 2,500", "KTP serta kartu keluarga", "NPWP & NIB", "melampirkan akta, paspor",
        "kartu tanda penduduk dan kartu keluarga", "Direksi maupun Dewan Komisaris",
        "berusia 17 tahun dan cakap hukum", "WNI dan berusia 17 tahun", "60 (enam puluh) hari, paling cepat 30 hari",
        "fotokopi KTP dan KK"],
    "alternatives": ["17/18", "KTP/paspor", "warga negara Indonesia / WNI", "KTP | paspor", "KTP/SIM/paspor", "a|b"],
    "punctuation": [
        "“satu orang”", "periode 2020–2024", "e‑KTP asli", "PT \"biasa\"", "akta 'bawah tangan'", "satu orang.", "cakap hukum;", "tunggu…",
        "\uff2b\uff34\uff30 asli", "\u2116 40", "kerja waktu tertentu (PKWT)", "akta (notaris)",
    ],
    "markdown-in-phrase": [
        "**17 tahun**", "_satu_ orang", "`WNI`", "[AHU](https://ahu.go.id)", "- satu orang", "1. satu", "<b>WNI</b>", "~~lama~~ baru",
        "\u2705 KTP asli", "KTP \u2714", "\u26a0\ufe0f wajib", "\u2192 unggah berkas",
    ],
    "looks-cut": [
        "peraturan menurut",
        "Peraturan Presiden Nomor", "satu orang dan", "syarat:", "didirikan oleh 1 (satu", "biaya sebesar", "Rp50,", "syarat -", "biaya Rp",
        "melanggar Pasal", "dokumen No.",
    ],
    "currency-form": [
        "Rp50.000", "Rp 50.000", "Rp. 50.000,-", "50 ribu", "50rb", "Rp5M", "Rp2,5 jt",
        "Rp100 milyar", "50.000 rupiah", "sampai dengan Rp1,5 miliar", "USD 100",
    ],
    "digit-grouping": [
        "sebanyak 12.408 perseroan", "12408 berkas", "1,250,000 records", "3-5 hari kerja", "3 sampai 5 hari",
        "periode 2020-2024", "1.000 orang", "2,5 juta penduduk", "100 ribu orang",
    ],
    "number-in-words": [
        "60 (enam puluh) hari", "didirikan oleh 2 (dua) orang", "lima (5) tahun", "thirty (30) days",
        "usia tujuh belas tahun", "lima puluh ribu rupiah", "60 hari", "17 tahun", "berusia paling rendah 17 tahun", "3 direktur",
        "25% dari modal dasar", "25% (dua puluh lima persen) dari modal", "100% saham", "1000 orang",
        "2 orang saksi", "14 hari kerja", "0,5% dari omzet", "1.000 (seribu) orang", "30 days",
        "Rp10.000.000,00 (sepuluh juta rupiah)", "sejuta rupiah", "seratus miliar rupiah",
    ],
    "one-date-spelling": ["10/07/2026", "2026-07-10", "pada 10 Juli 2026", "July 10, 2026", "10 Jul 2026", "1st July 2026", "31 Desember",
        "sebelum 1 Mei"],
    "near-synonym": [
        "umur", "usia", "WNI", "warga negara Indonesia", "biaya", "online", "akta pendirian", "e-mail", "risiko",
        "nasehat hukum", "50 persen", "minimal 25%", "5 m\u00b2",
        "Menkumham", "persetujuan Menteri Hukum", "Ditjen AHU", "Dirjen AHU", "Kanwil Jakarta", "telah disahkan", "minimal 2 orang",
        "paling banyak Rp5 miliar", "selambat-lambatnya 60 hari", "paling lama 3 (tiga) hari kerja",
    ],
    "citation-form": ["UU Nomor 40 Tahun 2007", "UU No. 40 Tahun 2007", "UU 40/2007", "Pasal 7 ayat (1)", "Pasal 7 ayat 1 huruf a"],
    "affixed-form": ["mendirikan", "penerima", "didaftarkan", "pengesahan"],
}  # fmt: skip
# code -> phrases that look a little like it
SOUND = {
    "sentence-not-fact": ["paling lambat 6 (enam) bulan setelah akhir periode akuntansi", "PT Maju Tbk.", "Sdr. Budi sebagai saksi"],
    "list-in-phrase": [
        "tanda tangan dan cap",
        "Jakarta, Bandung",
        "pendiri atau kuasanya menandatangani akta perubahan",
        "hak dan kewajiban",
        "maksud dan tujuan",
        "nama dan tempat kedudukan",
        "usaha mikro dan kecil",
        "baik dan benar",
        "visi dan misi",
        "KTP dan fotokopinya",
        "25% ditempatkan dan disetor penuh",
        "usaha mikro dan kecil paling banyak Rp5 miliar",
        "antara 3 hari dan 5 hari",
        "PT Maju, Tbk",
        "Bogor, Jawa Barat",
        "anggaran dasar dan anggaran rumah tangga",
    ],
    "alternatives": [
        "dan/atau",
        "dan / atau",
        "N/A",
        "PP 8/2021",
        "Nomor 12/PMK.010/2020",
        "https://ahu.go.id/apostille",
        "10/07/2026",
        "s/d",
        "UU 40/2007",
        "Permenkumham 21/2021",
    ],
    "punctuation": [
        "e-KTP",
        "C++",
        "N/A",
        "Jum'at",
        "Qur'an dan Jum'at",
        "PT Maju Tbk.",
        "S.H., M.Kn.",
        "2020-2024",
        "satu (1) orang",
        "5 m\u00b2",
        "10\u00b2",
        "noti\ufb01kasi",
        "\u00bd bagian",
        "[AHU](https://ahu.go.id)",
    ],
    "markdown-in-phrase": [
        "snake_case",
        "2*3",
        "e-KTP",
        "Pasal 7 ayat (1)",
        "C#",
        "nomor #2",
        "AT&T",
        "a < b",
        "20 \u00b0C",
        "Microsoft\u00ae",
    ],
    "looks-cut": ["didirikan oleh 1 (satu) orang", "warga negara Indonesia", "sk-", "tindakan", "penyataan", "menurut peraturan"],
    "currency-form": ["satu miliar persen", "turpis 5", "5 orang", "5 m", "5 jam", "100 ribu orang", "2,5 juta dokumen"],
    "digit-grouping": [
        "Rp12.408",
        "Nomor 12408",
        "3171234567890001",
        "Tahun 2007",
        "021-5255049",
        "1500-123",
        "08-16",
        "NIK 31712",
        "2017",
    ],
    "number-in-words": [
        "Pasal 7 ayat (1)",
        "salah satu orang",
        "60 lebih hari",
        "UU Nomor 40 Tahun 2007",
        "Pasal 3 bagian kedua",
        "3-5 hari",
        "lebih dari 25%",
        "5,5 tahun",
        "tahun 2007",
        "satu kesatuan",
        "satu-satunya",
        "10 juta rupiah",
        "setengah juta rupiah",
        "lima koma tujuh persen",
    ],
    "one-date-spelling": ["November 2023", "2020-2024", "99/99/2026", "40 Desember", "the 2 may apply"],
    "near-synonym": [
        "berusia paling rendah 17 tahun",
        "surat setoran",
        "biaya pendaftaran merek dagang",
        "hasil paling banyak dicari",
        "pelayanan minimal",
        "persetujuan Menteri",
        "menterjemahkan",
    ],
    "citation-form": ["Pasal 1320 KUH Perdata", "tahun 2007", "ayat terakhir", "40/PUU-XXI/2023", "10/07/2026"],
    "affixed-form": ["WNI", "akta", "memerlukan persetujuan Menteri", "apostille", "notaris"],
}
PAIRS = [(code, phrase) for code, phrases in BRITTLE.items() for phrase in phrases]
SOUND_PAIRS = [(code, phrase) for code, phrases in SOUND.items() for phrase in phrases]


@pytest.mark.parametrize(("code", "phrase"), PAIRS)
def test_a_brittle_phrase_is_found(code: str, phrase: str) -> None:
    assert phrase in found(a_contract([phrase]), code)


@pytest.mark.parametrize(("code", "phrase"), SOUND_PAIRS)
def test_a_phrase_that_only_looks_like_it_is_not(code: str, phrase: str) -> None:
    assert code not in codes(a_contract([phrase]))


def test_every_brittle_rule_is_tested_both_ways() -> None:
    rules = {rule.code for rule in RULES if rule.find.__module__.endswith("brittle")}
    assert rules == set(BRITTLE) == set(SOUND)


@pytest.mark.parametrize("phrase", ["Rp. 50.000,-", "Rp50.000,00", "10 Jul 2026", "50000 rupiah", "12408 berkas", "10/07/2026"])
def test_an_unusual_spelling_is_a_warning(phrase: str) -> None:
    severities = {severity_of(a_contract([phrase]), code) for code in ("currency-form", "digit-grouping", "one-date-spelling")}
    assert WARNING in severities


@pytest.mark.parametrize(
    "phrase", ["Rp50.000 per dokumen", "sebanyak 12.408 perseroan", "pada 10 Juli 2026", "60 (enam puluh) hari", "umur"]
)
def test_a_usual_spelling_is_only_a_note(phrase: str) -> None:
    severities = {severity_of(a_contract([phrase]), code) for code in BRITTLE if code != "affixed-form"}
    assert severities == {NOTE, None}


@pytest.mark.parametrize(
    ("code", "phrase", "answer"),
    [
        ("currency-form", "Rp50.000 per dokumen", "Biayanya Rp 50.000 per dokumen."),
        ("currency-form", "Rp50.000 per dokumen", "Biayanya Rp50 ribu per dokumen."),
        ("digit-grouping", "sebanyak 12.408 perseroan", "Ada sebanyak 12408 perseroan."),
        ("number-in-words", "60 (enam puluh) hari", "Tenggatnya 60 hari."),
        ("one-date-spelling", "pada 10 Juli 2026", "Berlaku pada 10/07/2026."),
        ("near-synonym", "umur", "Usia pendiri minimal 17 tahun."),
        ("affixed-form", "mendirikan", "PT didirikan oleh satu orang."),
        ("citation-form", "UU Nomor 40 Tahun 2007", "Menurut UU No. 40 Tahun 2007."),
        ("number-in-words", "tujuh belas tahun", "Minimal 17 tahun."),
    ],
)
def test_stored_answers_that_write_it_otherwise_make_a_warning_of_it(code: str, phrase: str, answer: str) -> None:
    evidence = StoredEvidence(stored(answer, "Tidak tahu."))
    finding = found(a_contract([phrase]), code, evidence=evidence)[phrase]
    assert finding.severity is WARNING
    assert "1 of 2 stored answers write it otherwise, and fail" in finding.evidence


def test_other_spellings_are_shown_and_none_of_them_holds_the_phrase() -> None:
    for code, phrase in PAIRS:
        for line in found(a_contract([phrase]), code)[phrase].evidence:
            if line.startswith("also written: "):
                assert all(phrase.casefold() not in variant.casefold() for variant in line.removeprefix("also written: ").split("; "))


def test_a_forbidden_phrase_may_be_spelled_in_one_way_but_not_badly() -> None:
    assert not codes(a_contract(forbidden=["biayanya Rp50.000 per dokumen"])) & {"currency-form", "near-synonym", "affixed-form"}
    assert "markdown-in-phrase" in codes(a_contract(forbidden=["PT **wajib** akta"]))


def test_a_question_that_looks_cut_is_found() -> None:
    question = "Apa arti formulir nomor"
    assert list(found(a_contract(["data pemilik"], question=question), "looks-cut")) == [question]


def test_the_alternatives_are_shown_whole() -> None:
    message = found(a_contract(["KTP | paspor"]), "alternatives")["KTP | paspor"].message
    assert "“|”" in message
    assert "“KTP” or “paspor”" in message


def test_a_choice_is_not_to_be_made_two_required_phrases() -> None:
    assert "rubric" in found(a_contract(["KTP atau paspor"]), "list-in-phrase")["KTP atau paspor"].suggestion


@pytest.mark.parametrize(
    ("phrase", "shown"),
    [
        ("UU No. 40 Tahun 2007", "UU Nomor 40 Tahun 2007"),
        ("PP 8/2021", "PP No. 8 Tahun 2021"),
        ("Pada 10 Juli 2026", "Pada 10/07/2026"),
        ("2026-07-10", "10 Juli 2026"),
        ("\u0130zin 10 Juli 2026", "10/07/2026"),
    ],
)
def test_another_spelling_is_shown_in_the_letters_of_the_phrase(phrase: str, shown: str) -> None:
    assert any(
        shown in finding.evidence[0] for finding in lint(a_contract([phrase])) if finding.code in ("citation-form", "one-date-spelling")
    )


def test_the_plain_spelling_is_suggested() -> None:
    assert "periode 2020-2024" in found(a_contract(["periode 2020–2024"]), "punctuation")["periode 2020–2024"].suggestion


def test_the_suggestions_of_affixes_are_real_words() -> None:
    evidence = found(a_contract(["mendirikan"]), "affixed-form")["mendirikan"].evidence[0]
    assert "didirikan" in evidence
    assert "pendirian" in evidence


@pytest.mark.parametrize(
    ("phrase", "names"),
    [
        ("Rp2.500.000", ["Rp2,5 juta", "2,5 jt"]),
        ("Rp100.000.000.000", ["100 miliar", "100 milyar"]),
        ("Rp150.000 per dokumen", ["Rp150.000,00 (seratus lima puluh ribu rupiah) per dokumen", "150 rb per dokumen"]),
        ("Rp1 miliar bagi usaha mikro", ["Rp1.000.000.000,00 (satu miliar rupiah) bagi usaha mikro"]),
        ("Rp1.000", ["seribu rupiah"]),
        ("Rp1.000.000", ["sejuta rupiah"]),
        ("1.000 orang", ["seribu orang"]),
        ("1.000.000 orang", ["sejuta orang"]),
        ("1.500 lembar", ["seribu lima ratus lembar", "1,5 ribu lembar"]),
        ("100.000 penduduk", ["seratus ribu penduduk", "100 ribu penduduk", "100 rb penduduk"]),
    ],
)
def test_everyday_spellings_of_an_amount_are_named(phrase: str, names: list[str]) -> None:
    """fd-044, fd-045, field/public 9."""
    (evidence,) = {finding.evidence for finding in lint(a_contract([phrase])) if finding.code in ("currency-form", "digit-grouping")}
    assert set(names) <= set(evidence[0].removeprefix("also written: ").split("; "))


@pytest.mark.parametrize(
    ("phrase", "names"),
    [
        ("Menkumham", ["Menteri Hukum dan HAM", "Menteri Hukum"]),
        ("Keputusan Menteri Hukum dan HAM", ["Keputusan Menteri Hukum", "Keputusan Menkumham"]),
        ("Ditjen AHU", ["Direktorat Jenderal AHU", "Dirjen AHU", "Direktorat Jenderal Administrasi Hukum Umum"]),
        ("minimal 2 orang", ["paling sedikit 2 orang"]),
        ("minimal 17 tahun", ["paling rendah 17 tahun"]),
        ("maksimal 5 tahun", ["paling lama 5 tahun"]),
        ("maks. 5 hari", ["paling lama 5 hari", "maksimal 5 hari"]),
        ("Kemenkumham", ["Kementerian Hukum", "Kementerian Hukum dan HAM"]),
        ("Permenkumham 21/2021", ["Peraturan Menteri Hukum dan HAM 21/2021"]),
        ("maksimal Rp5 miliar", ["paling banyak Rp5 miliar"]),
        ("selambat-lambatnya 60 hari", ["paling lambat 60 hari", "paling lama 60 hari"]),
        ("paling sedikit 3 (tiga) orang", ["minimal 3 (tiga) orang"]),
    ],
)
def test_the_other_words_of_the_field_are_named_as_they_are_written(phrase: str, names: list[str]) -> None:
    """fd-049."""
    finding = found(a_contract([phrase]), "near-synonym")[phrase]
    assert finding.severity is NOTE
    assert set(names) <= set(finding.evidence[0].removeprefix("also written: ").split("; "))


def test_the_way_out_of_a_number_is_a_part_without_it() -> None:
    finding = found(a_contract(["berusia paling rendah 17 tahun"]), "number-in-words")["berusia paling rendah 17 tahun"]
    assert finding.severity is NOTE
    assert "“berusia paling rendah 17 (tujuh belas) tahun”" in finding.message
    assert "without the number" in finding.suggestion


@pytest.mark.parametrize(
    ("phrase", "passage"),
    [
        ("wajib notaris", "wajib akta notaris"), ("notaris akta", "akta notaris"), ("akta wajib notaris", "wajib akta notaris"),
        ("modal PT", "modal dasar PT"), ("akta PT", "akta pendirian PT"),
    ],
)  # fmt: skip
def test_a_phrase_is_compared_with_the_words_of_the_question(phrase: str, passage: str) -> None:
    """fd-050: nobody writes "wajib notaris"."""
    question = "Apakah wajib akta notaris, berapa modal dasar PT, dan siapa membuat akta pendirian PT?"
    finding = found(a_contract([phrase], question=question), "looks-cut")[phrase]
    assert finding.severity is NOTE
    assert f"“{passage}”" in finding.message


def test_a_phrase_is_compared_with_the_other_phrases_of_its_item() -> None:
    """fd-050."""
    item = a_contract(["surat kuasa notaris", "surat notaris"])
    assert list(found(item, "looks-cut")) == ["surat notaris"]


@pytest.mark.parametrize(
    "phrase",
    ["wajib akta notaris", "bisa notaris", "akta", "wajib", "notaris wajib hadir", "wajib NPWP", "pendiri yayasan", "bisa satu orang"],
)
def test_a_phrase_that_stands_in_the_question_or_is_another_is_not_called_cut(phrase: str) -> None:
    assert "looks-cut" not in codes(
        a_contract([phrase], question="Apakah wajib akta notaris dan wajib punya NPWP, pendiri sebuah yayasan bisa didirikan satu orang?")
    )


def test_affixes_need_a_word_list() -> None:
    assert "affixed-form" not in codes(a_contract(["mendirikan"]), words=None)


@pytest.mark.parametrize("phrase", ["icontains: Rp50.000", "not-contains:Rp50.000", "Contains: Rp50.000"])
def test_a_phrase_with_the_name_of_a_check_before_it_is_told(phrase: str) -> None:
    """fd-054: no answer holds it."""
    finding = found(a_contract([phrase]), "markdown-in-phrase")[phrase]
    assert (finding.severity, "“Rp50.000”" in finding.suggestion) == (WARNING, True)


@pytest.mark.parametrize("phrase", ["cost: Rp50.000", "biaya: Rp50.000", "contains gluten"])
def test_a_word_before_a_fact_is_no_name_of_a_check(phrase: str) -> None:
    assert "markdown-in-phrase" not in codes(a_contract([phrase]))
