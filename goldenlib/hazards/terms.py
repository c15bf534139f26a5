"""The terms of the field: offices, limits, documents and states, with the other words that regulations and chatbots have for them.

Rule: as in `vocabulary`: lists of our own, short enough to be read and corrected by an expert.
"""

from __future__ import annotations

from goldenlib.folding import fold

# One office or thing, as it is written. The ministry was renamed in October 2024; answers name it in the old and the new way.
TERMS = (
    ("Menteri Hukum", "Menteri Hukum dan HAM", "Menteri Hukum dan Hak Asasi Manusia", "Menkumham", "Menkum"),
    ("Kementerian Hukum", "Kementerian Hukum dan HAM", "Kementerian Hukum dan Hak Asasi Manusia", "Kemenkumham", "Kemenkum"),
    ("Peraturan Menteri Hukum dan Hak Asasi Manusia", "Peraturan Menteri Hukum dan HAM", "Permenkumham"),
    ("Peraturan Menteri Hukum", "Permenkum"),
    (
        "Direktorat Jenderal Administrasi Hukum Umum", "Direktorat Jenderal AHU", "Ditjen AHU", "Dirjen AHU",
        "Direktur Jenderal Administrasi Hukum Umum", "Direktur Jenderal AHU",
    ),
    ("Direktorat Jenderal", "Ditjen"),
    ("Direktur Jenderal", "Dirjen"),
    ("Kantor Wilayah", "Kanwil"),
    ("surat keputusan", "SK"),
    ("penerimaan negara bukan pajak", "PNBP"),
    ("anggaran dasar dan anggaran rumah tangga", "AD/ART", "AD dan ART"),
    ("Kedutaan Besar", "Kedubes"),
)  # fmt: skip
WRITTEN = {fold(name): name for group in TERMS for name in group}
OTHER_TERMS = {fold(name): tuple(fold(other) for other in group if other != name) for group in TERMS for name in group}
# Limits, which stand before a number.
LIMITS = {
    "minimal": ("paling sedikit", "sekurang-kurangnya", "paling kurang", "setidaknya"),
    "minimum": ("paling sedikit", "minimal", "sekurang-kurangnya"),
    "paling sedikit": ("minimal", "sekurang-kurangnya", "paling kurang", "setidaknya"),
    "paling kurang": ("paling sedikit", "minimal", "sekurang-kurangnya"),
    "sekurang-kurangnya": ("paling sedikit", "minimal", "paling kurang", "setidaknya"),
    "sedikitnya": ("paling sedikit", "minimal", "sekurang-kurangnya"),
    "setidaknya": ("paling sedikit", "minimal", "sekurang-kurangnya"),
    "setidak-tidaknya": ("paling sedikit", "minimal", "sekurang-kurangnya"),
    "paling singkat": ("minimal", "sekurang-kurangnya"),
    "maksimal": ("paling banyak", "sebanyak-banyaknya", "paling tinggi"),
    "maksimum": ("paling banyak", "maksimal", "paling tinggi"),
    "paling banyak": ("maksimal", "sebanyak-banyaknya"),
    "sebanyak-banyaknya": ("paling banyak", "maksimal"),
    "paling tinggi": ("maksimal", "setinggi-tingginya"),
    "setinggi-tingginya": ("paling tinggi", "maksimal"),
    "paling lambat": ("selambat-lambatnya", "paling lama", "maksimal"),
    "selambat-lambatnya": ("paling lambat", "paling lama", "maksimal"),
    "selambatnya": ("paling lambat", "paling lama", "maksimal"),
    "paling telat": ("paling lambat", "selambat-lambatnya", "paling lama"),
    "paling lama": ("maksimal", "paling lambat", "selambat-lambatnya"),
}
# One word of everyday is several of the regulations where it limits an age or a time.
LIMITS_OF_TIME = LIMITS | {
    "minimal": ("paling rendah", "paling singkat", "paling sedikit", "sekurang-kurangnya"),
    "maksimal": ("paling lama", "paling lambat", "selambat-lambatnya", "paling tinggi"),
    "minimum": ("paling rendah", "paling singkat", "minimal"),
    "maksimum": ("paling lama", "paling lambat", "maksimal"),
}
for limits in (LIMITS, LIMITS_OF_TIME):
    limits |= dict.fromkeys(("min", "min."), limits["minimum"]) | dict.fromkeys(("maks", "maks.", "max", "max."), limits["maksimum"])
TIMES = "tahun|bulan|minggu|pekan|hari|jam|menit|tanggal"

# What is counted and named one by one: "KTP dan NPWP" are two facts, "hak dan kewajiban" is one pair.
_LISTED = """
    ktp e-ktp kk nik npwp nib siup tdp imb pbg slf siu sktu skdp situ skck sim stnk bpkb kitas kitap shm shgb hgb hgu sppt bphtb pbb wni wna
    pt cv uu pp perpres permen perda rups bpjs ojk oss sabh sabu ahu haki hki ppn pph spt paspor visa ijazah akta akte kartu sertifikat
    surat formulir pasfoto kuitansi materai meterai notulen risalah direksi komisaris dewan pembina pengurus pengawas notaris ppat
    pemegang menteri presiden dpr
"""
LISTED = frozenset(_LISTED.split())
# States that something gets into. What is not there yet is told with "belum".
_STATES = """
    disahkan diterbitkan didaftarkan diumumkan diundangkan disetujui ditandatangani disetor dibayar dilunasi diverifikasi dicatat
    diterima dicabut dibubarkan terbit terdaftar tercatat terverifikasi selesai lunas aktif berbadan
"""
STATES = frozenset(_STATES.split())
COME_ABOUT = ("telah", "sudah")  # before a state that has come about
# What is asked of somebody or allowed to them, so that the one who has to do it can be put in front.
ASKED_OF_SOMEBODY = frozenset(
    ("wajib", "harus", "perlu", "mesti", "boleh", "dapat", "bisa", "diwajibkan", "diharuskan", "dilarang", "diperbolehkan", "diizinkan",
     "memerlukan", "membutuhkan", "memakai", "menggunakan", "butuh", "pakai", "bayar", "berhak", "berwenang", "tunduk", "punya")
)  # fmt: skip
# Subjects that do nothing themselves.
THINGS = frozenset(("apostille", "legalisasi"))
# What somebody or something is by law. It is denied with "bukan".
STATUSES = (
    "badan hukum", "badan usaha", "badan publik", "pejabat umum", "pejabat negara", "pejabat publik", "akta autentik", "akta otentik",
    "akta di bawah tangan", "subjek hukum", "subyek hukum", "lembaga negara", "organisasi kemasyarakatan", "alat bukti", "dokumen publik",
    "warga negara", "legal entity", "public official", "authentic deed",
)  # fmt: skip
