"""Declines, recognised by signal and by wording in Indonesian and English."""

from __future__ import annotations

import pytest

from goldenlib.scoring.data.declines import recognise_decline
from goldenlib.scoring.data.replies import AgentReply, Signal


def types(text: str) -> set[str] | None:
    found = recognise_decline(AgentReply(text))
    return None if found is None else set(found.types)


AMBIGUOUS = [
    "Which year do you mean, calendar or fiscal?",
    "Do you mean net sales or the number of orders?",
    "'Best' can mean several things: revenue, orders or margin. Please specify.",
    "That depends on which definition of loyal you use.",
    "Could you clarify the period?",
    "The question is ambiguous.",
    "What should I compare, packs or net sales?",
    "Apakah yang Anda maksud penjualan bersih atau jumlah pesanan?",
    "Mohon diperjelas: tahun kalender atau tahun fiskal?",
    "'Terbaik' dapat berarti penjualan atau margin. Silakan pilih.",
    "Tergantung pada definisi pelanggan setia yang dipakai.",
    "Periode mana yang dimaksud? Saya perlu klarifikasi.",
]
UNANSWERABLE = [
    "The warehouse does not hold advertising spend.",
    "There is no data on stock levels.",
    "Delivery times are not recorded.",
    "We don't track visits before October 2025.",
    "This cannot be answered from the tables: information about costs of shipping is missing.",
    "Sessions are only recorded from October 2025 on.",
    "Data biaya iklan tidak tersedia di gudang data.",
    "Tidak ada data stok.",
    "Gudang data ini tidak mencatat waktu pengiriman.",
    "Hal itu tidak dapat dihitung, karena kunjungan belum tercatat.",
]
FORBIDDEN = [
    "You are not authorised to see customers' e-mail addresses.",
    "As a regional lead you may not view other regions' sales.",
    "I can't share unit costs with marketing.",
    "Your role does not allow that.",
    "Access to personal data is restricted.",
    "I can only show figures of your own region.",
    "Maaf, Anda tidak berwenang melihat data pelanggan.",
    "Anda tidak memiliki akses ke data wilayah lain.",
    "Data tersebut bersifat rahasia.",
    "Saya tidak dapat menampilkan nomor telepon pelanggan.",
]
ANSWERS = [
    "Net sales were Rp1.234.567.",
    "The three best-selling products are brushes, pens and pencils.",
    "Penjualan bersih pada Maret 2026 adalah 1.234.567 rupiah.",
    "42",
    "Nusantara leads with 35 percent of orders.",
    "There were 47 orders, 3 of them cancelled.",
    "Pelanggan terbanyak berasal dari Indonesia.",
    "The average time was 3 days, which is below last year's.",
    "Ada 12 pesanan yang dibatalkan.",
    "Produk yang paling laku adalah kuas.",
]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_asking_back_is_a_decline_of_an_ambiguous_question(text: str) -> None:
    assert "ambiguous" in (types(text) or set())


@pytest.mark.parametrize("text", UNANSWERABLE)
def test_missing_data_is_a_decline_of_an_unanswerable_question(text: str) -> None:
    assert "unanswerable" in (types(text) or set())


@pytest.mark.parametrize("text", FORBIDDEN)
def test_a_refusal_is_recognised(text: str) -> None:
    assert "forbidden" in (types(text) or set())


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_is_no_decline(text: str) -> None:
    assert types(text) is None


@pytest.mark.parametrize("text", ["I'm sorry, I cannot help with that.", "Maaf, saya tidak dapat menjawab pertanyaan ini."])
def test_a_decline_without_a_reason_has_no_type(text: str) -> None:
    assert types(text) == set()


def test_the_targets_own_signal_decides_before_any_wording() -> None:
    found = recognise_decline(AgentReply("Which year do you mean?", signal=Signal("unanswerable", "")))
    assert found is not None
    assert (found.types, found.by) == ({"unanswerable"}, "by the agent's own signal of type unanswerable")


def test_a_signal_without_a_type_takes_that_of_its_message() -> None:
    found = recognise_decline(AgentReply("", signal=Signal("", "There is no data on stock levels.")))
    assert found is not None
    assert found.types == {"unanswerable"}


def test_a_query_is_an_answer_whatever_is_said_beside_it() -> None:
    assert recognise_decline(AgentReply("There is no data on refunds, so here are orders.", sql="SELECT 1")) is None


def test_the_reason_quotes_the_words_that_were_recognised() -> None:
    found = recognise_decline(AgentReply("There is no data on stock levels."))
    assert found is not None
    assert "'no data'" in found.by
