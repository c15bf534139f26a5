"""The words that the rules know: denials, predicates, abbreviations, other words for the same, refusals.

Rule: lists of our own, folded, Indonesian and English side by side, short enough to be read and corrected by an expert.
"""

from __future__ import annotations

from itertools import product


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _list(words: str) -> tuple[str, ...]:
    return tuple(words.split())


# --- denials ---

NEGATORS_ID = _set("tidak bukan belum tanpa jangan kecuali tak tdk nggak ngga enggak gak ga tiada bukanlah bukannya tidaklah takkan")
NEGATORS_EN = _set(
    """
    not no never without cannot neither nor except unless none can't don't doesn't isn't aren't won't needn't mustn't didn't
    shouldn't hasn't haven't wasn't weren't hardly rarely seldom nobody nothing
    """
)
NEGATORS = NEGATORS_ID | NEGATORS_EN
# What makes the opposite of a word when it is put before it.
OPPOSITES = ("un", "in", "im", "il", "ir", "i", "non", "dis", "mis", "an", "anti")
# What may stand between a denial and what it denies: "tidak lagi wajib", "tidak perlu akta", "not a fee", "no need for a fee".
AFTER_NEGATOR = _set(
    """
    lagi perlu harus wajib selalu akan pernah lain hanya ada adanya terdapat tentu semua setiap memerlukan membutuhkan
    menggunakan diperlukan dikenakan dikenai dipungut merupakan berupa berbentuk memiliki mempunyai membuat dibuat melalui lewat
    pakai memakai dengan pergi datang ke menghadap suatu sebuah seorang diwajibkan diharuskan disyaratkan dipersyaratkan
    mensyaratkan mewajibkan mengharuskan secara otomatis serta-merta sama sekali dari a an the any longer need require required
    needed be have for to by means see use hire necessarily
    """
)

# Words before which a denial goes in Indonesian ("tidak wajib ..."), verbs by their affix apart.
MODALS_ID = _set(
    """
    wajib harus perlu boleh dapat bisa mesti diwajibkan diharuskan diperlukan dibutuhkan disyaratkan dipersyaratkan
    diperbolehkan dibolehkan diizinkan dilarang dikenakan dikenai dipungut memerlukan membutuhkan mensyaratkan mewajibkan
    mengharuskan memakai menggunakan berlaku termasuk cukup sah resmi gratis bebas mungkin berhak berwenang tersedia terbuka
    berbayar butuh pakai bayar mampu sanggup boleh-boleh halal legal ilegal aman terdaftar kedaluwarsa otomatis cuma-cuma gugur
    hapus batal ada kena punya ikut masuk sesuai benar layak tunduk
    """
)
# Words that can follow "not" in English.
MODALS_EN = _set(
    """
    required mandatory compulsory obligatory allowed permitted necessary needed possible valid legal official free available
    able entitled obliged refundable eligible optional automatic exempt taxable transferable prohibited forbidden binding liable be
    """
)
BASE_VERBS_EN = _set("need require have pay use submit apply include cost take accept allow charge cover expire")
VERBS_EN = _set("needs requires costs takes includes applies accepts allows charges covers expires involves uses demands")
ENGLISH = _set("the a an of is are to for by with and or be must can may at in on from fee no not than")
# English words that stand in Indonesian texts too: SIM A, No. 40.
ENGLISH_TOO = _set("a no")
ARTICLES = _set("a an the any")
PREPOSITIONS_EN = _set("of to for by with and or at in on from as under")
# Before which a denial goes as before a verb: "tidak melalui pengadilan", "tidak ke notaris".
PREPOSITIONS_ID = _set("ke melalui lewat dengan secara")
# A phrase that begins with one of these is a clause: a denial stands behind it.
PRONOUNS = _set("i you he she it we they saya anda kami kita mereka dia ia")
ASKING_EN = _set("what which who how when where why many much long does do did i my")
# What begins with one of these words and is the name of a thing.
NO_PREDICATES = ("wajib pajak", "wajib retribusi", "bebas visa")
COPULAS_EN = _set("is are was were be must can may should shall will has have does do")
COPULAS = COPULAS_EN | _set("adalah ialah merupakan yaitu yakni menjadi")
# Words that go before a predicate and leave it one: "akan ditetapkan", "selalu wajib".
ADVERBS = _set(
    "selalu akan langsung hanya pasti sering mutlak sangat sepenuhnya always only legally automatically strictly fully generally"
)
# Words that a denial takes the place of, or goes behind: "telah dicabut" becomes "belum dicabut", "masih berlaku" "tidak lagi berlaku".
ASPECTS = _set("juga masih tetap sudah telah also still already")
# Comparisons, which are denied as a whole: "tidak lebih dari satu orang".
COMPARISONS = ("lebih dari ", "kurang dari ", "more than ", "less than ", "fewer than ")
# A phrase that begins with an amount: it is replaced by the right one, and hardly ever denied word by word.
QUANTITIES = _set(
    """
    paling minimal maksimal minimum maksimum lebih kurang sampai hingga sekurang-kurangnya selambat-lambatnya setidaknya
    sebanyak sebesar sejumlah selama seharga senilai antara per sekitar at minimum up more less within between only
    """
)
NOUNS = _set(
    """
    akta akte surat dokumen notaris ktp kk npwp nib biaya tarif izin sertifikat modal saham salinan fotokopi legalisasi
    apostille materai meterai formulir berkas bukti paspor ijazah denda pajak sanksi rekening domisili stempel cap tanda
    persetujuan kartu laporan putusan direksi komisaris direktur saksi kuasa sidik rapat pengesahan pernyataan
    perjanjian setoran batas uang visa hak
    batasan syarat ketentuan kewajiban larangan jaminan agunan pungutan retribusi iuran pesangon notary
    notarial deed fee document certificate permit licence license passport stamp signature witness approval tax fine
    """
)
# Words that look like verbs by their first letters and are none.
NO_VERBS = _set(
    """
    direksi dinas direktur direktorat digital dividen diskon distributor dirjen dimensi diploma diplomatik disiplin distrik
    divisi menteri merek meter meteran media mediasi metode mekanisme meterai mesin medali melainkan menurut mengenai melalui
    menjelang berita berkas beras berlian bersama berikut berdasarkan berapa beranda berbagai bersih berat terminal teritorial
    terdakwa tersangka terhadap tertentu terlebih terakhir terpidana teratai ternak tertanggung terbatas document documents
    directive directors member members merchant merger memorandum mention metric term terms terminology certificate
    """
)

POLAR_STARTS = _set(
    """
    apakah bolehkah bisakah haruskah wajibkah perlukah dapatkah adakah benarkah is are do does did can could must should may
    will has have
    """
)
POLAR_WORDS = _set("nggak ngga enggak gak ga")

# Who a rule is about, for a suggestion that names them. The longest that stands in the question is taken.
SUBJECTS = (
    "PT perorangan",
    "perseroan perorangan",
    "PT persekutuan modal",
    "perseroan terbatas",
    "PT",
    "perseroan",
    "yayasan",
    "perkumpulan",
    "koperasi",
    "CV",
    "firma",
    "apostille",
    "legalisasi",
    "direksi",
    "pendiri",
    "pemohon",
    "notaris",
)

# --- abbreviations and other words for the same ---

ABBREVIATIONS = {
    "wni": "warga negara indonesia",
    "wna": "warga negara asing",
    "pt": "perseroan terbatas",
    "cv": "persekutuan komanditer",
    "ktp": "kartu tanda penduduk",
    "kk": "kartu keluarga",
    "nik": "nomor induk kependudukan",
    "npwp": "nomor pokok wajib pajak",
    "nib": "nomor induk berusaha",
    "rups": "rapat umum pemegang saham",
    "rupslb": "rapat umum pemegang saham luar biasa",
    "rupst": "rapat umum pemegang saham tahunan",
    "pnbp": "penerimaan negara bukan pajak",
    "uu": "undang-undang",
    "uud": "undang-undang dasar",
    "uupt": "undang-undang perseroan terbatas",
    "ruu": "rancangan undang-undang",
    "perppu": "peraturan pemerintah pengganti undang-undang",
    "pp": "peraturan pemerintah",
    "perpres": "peraturan presiden",
    "permen": "peraturan menteri",
    "permenkumham": "peraturan menteri hukum dan hak asasi manusia",
    "kemenkumham": "kementerian hukum dan hak asasi manusia",
    "sk": "surat keputusan",
    "kuhp": "kitab undang-undang hukum pidana",
    "kuhap": "kitab undang-undang hukum acara pidana",
    "kuhperdata": "kitab undang-undang hukum perdata",
    "ma": "mahkamah agung",
    "mk": "mahkamah konstitusi",
    "djp": "direktorat jenderal pajak",
    "bpn": "badan pertanahan nasional",
    "kua": "kantor urusan agama",
    "skt": "surat keterangan terdaftar",
    "skck": "surat keterangan catatan kepolisian",
    "umk": "usaha mikro dan kecil",
    "umkm": "usaha mikro, kecil, dan menengah",
    "pma": "penanaman modal asing",
    "pmdn": "penanaman modal dalam negeri",
    "kbli": "klasifikasi baku lapangan usaha indonesia",
    "ppat": "pejabat pembuat akta tanah",
    "pkwt": "perjanjian kerja waktu tertentu",
    "pkwtt": "perjanjian kerja waktu tidak tertentu",
    "phk": "pemutusan hubungan kerja",
    "ahu": "administrasi hukum umum",
    "sabh": "sistem administrasi badan hukum",
    "sabu": "sistem administrasi badan usaha",
    "oss": "online single submission",
    "hki": "hak kekayaan intelektual",
    "haki": "hak atas kekayaan intelektual",
    "tbk": "terbuka",
    "ppn": "pajak pertambahan nilai",
    "ppnbm": "pajak penjualan atas barang mewah",
    "pph": "pajak penghasilan",
    "pns": "pegawai negeri sipil",
    "asn": "aparatur sipil negara",
    "ptun": "pengadilan tata usaha negara",
    "pn": "pengadilan negeri",
    "bumn": "badan usaha milik negara",
    "bumd": "badan usaha milik daerah",
    "bumdes": "badan usaha milik desa",
    "shm": "sertifikat hak milik",
    "hgb": "hak guna bangunan",
    "hgu": "hak guna usaha",
    "ojk": "otoritas jasa keuangan",
    "bpjs": "badan penyelenggara jaminan sosial",
    "qris": "quick response code indonesian standard",
}
ROMAN = _list("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx")
# Common words that begin with a letter, less that letter: "SIM A" is found in "SIM Anda".
LETTERS_GO_ON = {"a": "nda", "b": "aru", "c": "ukup", "d": "an", "e": "lektronik", "f": "oto", "g": "una", "h": "arus", "k": "epada"}
LETTERED = _set("huruf butir poin letter item")  # what is told apart by letters: "huruf b" is not in "huruf baru"
# What is counted with them.
NUMBERED = _set(
    """
    pasal bab bagian paragraf buku jilid lampiran kelas golongan tingkat tahap eselon amandemen article chapter part section
    title book volume annex class level grade phase schedule
    """
)
SAME_MEANING = (
    ("telah", "sudah"),
    ("umur", "usia"),
    ("berumur", "berusia"),
    ("syarat", "persyaratan"),
    ("biaya", "tarif", "ongkos"),
    ("daring", "online"),
    ("luring", "offline"),
    ("surel", "surat elektronik", "email", "e-mail"),
    ("akta", "akte"),
    ("meterai", "materai"),
    ("izin", "ijin"),
    ("sertifikat", "sertipikat"),
    ("risiko", "resiko"),
    ("praktik", "praktek"),
    ("nasihat", "nasehat"),
    ("kuitansi", "kwitansi"),
    ("objek", "obyek"),
    ("subjek", "subyek"),
    ("istri", "isteri"),
    ("utang", "hutang"),
    ("jadwal", "jadual"),
    ("analisis", "analisa"),
    ("aktivitas", "aktifitas"),
    ("standardisasi", "standarisasi"),
    ("notariil", "notarial"),
    ("upah", "gaji"),
    ("buruh", "pekerja", "karyawan"),
    ("telepon", "telpon"),
    ("kuh perdata", "kuhperdata", "kitab undang-undang hukum perdata"),
    ("kedaluwarsa", "kadaluarsa", "kadaluwarsa"),
    ("formulir", "blanko", "borang"),
    ("situs", "situs web", "website", "laman"),
    ("unggah", "upload"),
    ("unduh", "download"),
    ("gratis", "cuma-cuma", "tanpa biaya", "tidak dipungut biaya"),
    ("fotokopi", "salinan"),
    ("alamat", "domisili"),
    ("jangka waktu", "tenggat", "batas waktu"),
    ("denda", "sanksi administratif"),
    ("anak di bawah umur", "belum dewasa"),
    ("direktur", "direksi"),
    ("fee", "charge", "cost"),
    ("notary deed", "notarial deed"),
    ("id card", "identity card"),
    ("licence", "license"),
    ("lawyer", "attorney"),
    ("notarised", "notarized"),
    ("organisation", "organization"),
    ("m\u00b2", "m2", "meter persegi"),
)

# --- numbers in words ---

NUMBER_WORDS = {
    name: number
    for names in (
        "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    )
    for number, name in enumerate(names.split())
} | {name: 10 * tens for tens, name in enumerate(_list("twenty thirty forty fifty sixty seventy eighty ninety"), 2)}
NUMBER_SCALES = {
    "puluh": 10, "ratus": 100, "hundred": 100, "ribu": 1000, "thousand": 1000, "juta": 10**6, "million": 10**6,
    "miliar": 10**9, "milyar": 10**9, "triliun": 10**12,
}  # fmt: skip
# Words of one scale: seratus is satu ratus.
NUMBER_ONES = {"seratus": 100, "seribu": 1000, "sejuta": 10**6}
COUNTED = _list(
    """
    tahun bulan minggu hari jam menit orang kali persen rupiah saksi saham lembar rangkap buah years year months month weeks week
    days day hours hour people persons person times percent witnesses shares copies
    """
)
COUNTED_EN = frozenset(COUNTED[COUNTED.index("years") :])
# What is counted beside: before these a number in words is often no number, "satu pihak".
COUNTED_IN_FIGURES = _list(
    """
    detik triwulan semester periode kata pendiri anggota pihak dokumen eksemplar halaman meter hektare hektar unit pengurus pengawas
    pembina direktur komisaris kreditor kreditur negara provinsi kelompok organ bagian perseroan penduduk jiwa pengguna
    pemohon permohonan berkas akta sertifikat
    """
)

# --- time ---

MONTHS_ID = _list("januari februari maret april mei juni juli agustus september oktober november desember")
MONTHS_EN = _list("january february march april may june july august september october november december")
# What they are cut to, by the number of the month.
MONTHS_SHORT = {
    "jan": 1, "feb": 2, "peb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "agu": 8, "ags": 8, "agt": 8, "aug": 8, "sep": 9, "sept": 9,
    "okt": 10, "oct": 10, "nov": 11, "des": 12, "dec": 12,
}  # fmt: skip
# What is true today only.
NOWADAYS = (
    "saat ini", "sekarang", "kini", "hari ini", "minggu ini", "bulan ini", "tahun ini", "terbaru", "terkini", "dewasa ini",
    "sejauh ini", "baru-baru ini", "belakangan ini", "minggu depan", "bulan depan",
    "tahun depan", "untuk sementara",
    "currently", "at present", "today", "this year", "this month", "this week", "latest", "nowadays", "as of now", "right now",
    "next week", "next month", "next year",
)  # fmt: skip

# --- refusals ---

REFUSALS_ID = (
    "Maaf, saya tidak dapat menjawab pertanyaan itu. Silakan hubungi pusat bantuan untuk informasi lebih lanjut.",
    "Mohon maaf, saya belum memiliki informasi mengenai hal tersebut. Untuk keterangan resmi, silakan kunjungi situs AHU Online atau"
    " datang ke kantor wilayah terdekat.",
    "Maaf, saya tidak menemukan keterangan tentang hal itu. Anda dapat berkonsultasi dengan notaris atau petugas yang berwenang.",
    "Pertanyaan ini di luar cakupan layanan saya. Saya hanya dapat membantu seputar layanan administrasi hukum umum.",
    "Saya tidak tahu jawabannya. Saya tidak bisa membantu karena tidak memiliki informasi yang cukup, dan data itu belum tersedia.",
    "Maaf, saya tidak menemukan informasi yang relevan dan tidak memiliki data itu. Hal ini di luar kemampuan saya, dan saya tidak dapat"
    " memastikan kebenarannya.",
    "Sebagai asisten AI, saya tidak dapat memberikan nasihat hukum. Sebaiknya konsultasikan dengan penasihat hukum.",
)
REFUSALS_EN = (
    "I'm sorry, but I can't help with that. Please contact the help desk for more information.",
    "I do not have enough information to answer this question. Please visit the official website or consult a notary.",
    "Unfortunately, this is outside the scope of what I can assist with.",
    "I am unable to answer that. I don't know, and I cannot help you further.",
    "Sorry, I can't provide that. I don't have access to this information and I am not able to help; please seek professional advice.",
    "As an AI assistant, I cannot provide legal advice. Please consult a lawyer.",
)
REFUSALS = REFUSALS_ID + REFUSALS_EN
# How refusals are put together: each sentence takes one of every part.
_REFUSAL_PARTS = (
    ("Maaf, saya", "tidak|belum|tak", "dapat|bisa|mampu", "menjawab pertanyaan itu|membantu Anda|memberikan informasi itu|memastikannya"
     "|memproses permintaan ini|menemukan jawabannya|memberikan jawaban"),
    ("Maaf, saya", "tidak|belum", "memiliki|punya|mempunyai|menemukan|mendapat|ada", "informasi|data|keterangan|jawaban",
     "tentang hal itu."),
    ("Saya", "tidak|kurang|belum", "tahu|mengetahui|yakin|paham", "tentang hal itu."),
    ("Hal itu di luar", "cakupan|topik|jangkauan|kemampuan|pengetahuan|kewenangan|lingkup|konteks", "layanan saya.|saya."),
    ("Hal itu", "tidak|belum", "dapat|bisa", "saya jawab.|saya pastikan.|saya bantu."),
    ("Silakan|Mohon|Sebaiknya", "hubungi|bertanya kepada|berkonsultasi dengan|konsultasikan dengan",
     "petugas.|layanan pelanggan.|notaris.|penasihat hukum."),
    ("Silakan", "kunjungi|lihat|buka", "situs resmi|laman resmi", "atau datang langsung ke kantor terdekat."),
    ("Saya", "hanya asisten virtual,|asisten virtual,|", "bukan penasihat hukum.|bukan pengacara."),
    ("Informasi itu", "tidak|belum", "tersedia. Apakah ada pertanyaan lain?"),
    ("Sorry, I", "cannot|can't|am unable to|am not able to",
     "answer that question.|help with that.|provide that information.|assist with this."),
    ("I", "do not have|don't have|have no", "information|access to information|data|enough information", "about that."),
    ("I", "am not sure|do not know|don't know", "about that."),
    ("I'm", "unable to answer that.|not able to help.|not sure about that.|a virtual assistant, not a lawyer."),
    ("That is", "beyond|outside", "my scope.|my knowledge.|what I can help with."),
    ("I apologize, but please", "contact|consult|ask|seek",
     "customer service.|the help desk.|a lawyer.|an attorney.|legal counsel.|professional advice."),
    ("This is not legal advice, and I am", "only a chatbot.|not qualified to give it.|just an assistant."),
    ("I'm afraid I", "cannot answer that.|have no answer to that."),
)  # fmt: skip
REFUSAL_SENTENCES = tuple(
    " ".join(part for part in parts if part) for options in _REFUSAL_PARTS for parts in product(*(option.split("|") for option in options))
)
# How a refusal begins that goes on with the question.
ECHOES = ("Maaf, saya tidak punya informasi tentang", "I am sorry, I have no information about")

# --- a word list for a machine without wordfreq: common words, and those that legal fragments are known to hit ---

COMMON_WORDS_ID = _list(
    """
    yang dan di ini itu dengan untuk tidak dari dalam akan pada juga saya ke karena ada orang oleh dapat bisa sudah seperti
    lebih tahun hari hanya atau kita telah saat harus banyak mereka jika secara tentang satu dua tiga semua bahwa setelah masih
    lain september oktober menciptakan diciptakan kapten laptop cipta optik adaptor adaptasi konsep resep setidaknya
    ketidakpastian ketidaktahuan ketidaksesuaian tidaklah asing masing-masing masing mesin singkat sini bisnis memberikan
    diberikan pendidikan menyelesaikan dijadikan pastikan teknik elektronik komunikasi menikah pernikahan hakim kehakiman
    hakikat korupsi erupsi interupsi fakta pakta berumur seumur sumur manusia berusia rusia kemanusiaan mengetahui diketahui
    pengetahuan dahulu setahun perusahaan pengusaha usaha berusaha kisah susah ilegal legalitas legalisasi organisasi organik
    seorang seseorang kementerian kekuasaan dikuasai diperlukan keperluan memerlukan memperluas kewajiban diwajibkan mewajibkan
    pembiayaan kesatuan persatuan hukuman dihukum peresmian diresmikan perizinan diizinkan kapal kepala sepatu sekolah kasus
    masuk bagus khusus gunakan penggunaan membutuhkan pendirian mendirikan didirikan berdiri penerima menerima diterima
    penerimaan pengurus pengurusan kepengurusan pembina pembinaan pengawas pengawasan
    """
)
COMMON_WORDS_EN = _list(
    """
    support happy apple application option concept accept except kept captain attempt business single using missing risk task
    desk unofficial official illegal legally organization organize
    """
)
