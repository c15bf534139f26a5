"""Declines, recognised by signal and by wording in Indonesian and English."""

from __future__ import annotations

import pytest

from goldenlib.scoring.data.agentreplies import AgentReply, Signal
from goldenlib.scoring.data.declines import recognise_decline


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
    "Are you asking about spend or order count?",
    "Could you be more specific about what 'best' means?",
    "Your question could be interpreted in different ways.",
    "I need a bit more information: best by what measure?",
    "Do you mean the top 10, the top 50, or the top 100?",
    "1. By revenue\\n2. By orders\\n3. By margin\\nWhich one do you mean?",
    "There are 3 readings: revenue, orders, margin. Please choose one.",
    "Do you mean customers since 1 January 2024, or since 2025-07-01?",
    "Terbaik menurut apa, omzet atau jumlah pesanan?",
    "Maksudnya terbaik berdasarkan apa ya, Pak?",
    "Bisa diperjelas, yang dimaksud pelanggan terbaik itu seperti apa?",
    "Apakah Anda ingin melihat berdasarkan omzet atau jumlah transaksi?",
    "Ada beberapa cara mengartikan 'terbaik'. Pilih salah satu: omzet, margin.",
    "Kriteria apa yang ingin digunakan?",
    "Mau dilihat dari sisi omzet atau jumlah pesanan?",
    "Saya butuh informasi tambahan: periode dan ukurannya.",
    "Best by revenue or by number of orders?",
    "Terbaik dari segi apa?",
    "Maksudnya yang mana, omzet atau laba?",
    "Yang dimaksud aktif itu apa?",
    "Definisi aktif yang dipakai apa?",
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
    "I couldn't find any data on shipping costs.",
    "That's outside the scope of the data I have.",
    "This information is not present in the warehouse.",
    "The schema has 12 tables and none of them records shipping cost.",
    "We have data from 2024 to 2026, but it holds no shipping cost.",
    "We only track what customers paid.",
    "The data needed to answer is missing.",
    "I can't answer this from the available data.",
    "Saya tidak menemukan data biaya pengiriman.",
    "Tidak ditemukan data biaya pengiriman.",
    "Informasi biaya kirim tidak kami simpan.",
    "Tidak ada kolom biaya kirim pada 12 tabel yang ada.",
    "The database has nothing on shipping cost.",
    "I can't find shipping cost anywhere in the schema.",
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
    "Sharing employee pay isn't permitted.",
    "I'm afraid that's restricted.",
    "Karena alasan privasi, data tidak dapat ditampilkan.",
    "Hanya tim HR yang boleh melihat data ini.",
    "Informasi gaji dirahasiakan.",
    "Sorry, that data is off limits for your role.",
    "I must refuse: customer e-mails are private.",
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
    "PT Maju is the best customer. Would you like a breakdown by month?",
    "PT Maju. Do you want me to export this?",
    "PT Maju leads. What else would you like to see?",
    "PT Maju, with 1,234 orders. Please let me know if you need anything else.",
    "PT Maju, 340 pesanan. Apakah Anda ingin melihat grafiknya?",
    "Pelanggan terbaik adalah PT Maju. Apakah ada lagi yang ingin Anda tanyakan?",
    "Pelanggan terbaik PT Maju. Silakan sebutkan jika perlu rincian lain.",
    "PT Maju dengan omzet 12.345.678. Mohon konfirmasi jika perlu.",
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


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("I don't have access to real-time data, but shipping cost Rp 42 million in 2025.", "rp 42 million"),
        ("Shipping cost was 42,000,000. Cancelled orders are not included.", "42,000,000"),
        ("Total shipping cost: 42 million (no data for December).", "42 million"),
        ("Data Desember belum lengkap, tetapi biaya kirim sekitar 42 juta.", "42 juta"),
        ("I assumed revenue, since it is unclear: CV Jaya, 87,654,321.", "87,654,321"),
        ("There is no data on decorations, so I counted 42 decorations.", "42"),
    ],
)
def test_a_figure_beside_the_words_of_a_decline_may_be_an_answer(text: str, figure: str) -> None:
    found = recognise_decline(AgentReply(text), "What did shipping cost us in 2025?")
    assert found is not None
    assert found.beside == figure


@pytest.mark.parametrize("text", [*AMBIGUOUS, *UNANSWERABLE, "Data for 5,000 customers is not available."])
def test_dates_choices_and_what_was_asked_are_no_answer_beside_a_decline(text: str) -> None:
    found = recognise_decline(AgentReply(text), "Who are the 5,000 best customers?")
    assert found is not None
    assert found.beside == ""


@pytest.mark.parametrize("text", ["Customers who do not have an account: 42.", "There are 42 orders with missing data."])
def test_a_count_of_what_is_missing_may_be_an_answer(text: str) -> None:
    found = recognise_decline(AgentReply(text))
    assert found is not None
    assert found.beside == "42"


def test_what_the_tables_are_is_no_answer() -> None:
    found = recognise_decline(AgentReply("There are 12 tables and none of them records shipping cost."))
    assert found is not None
    assert found.beside == ""
