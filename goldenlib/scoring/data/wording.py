"""Wording: how declines are worded in Indonesian and English, one pattern a line.

In a pattern, `*` stands for up to six words, (a|b) for one of several, a trailing `+` for more letters. Searched in folded text, from
word to word. The lists were drawn up by hand; a decline that they miss is left to the judge.
"""

from __future__ import annotations

import re

AMBIGUOUS, UNANSWERABLE, FORBIDDEN = "ambiguous", "unanswerable", "forbidden"

_LINES = {
    FORBIDDEN: """
        not * (allowed|authorised|authorized|permitted|entitled|cleared)
        (do not|don't|does not|doesn't) have * (access|permission|authorisation|authorization|rights|right|clearance)
        (no|without) * (access|permission|authorisation|authorization|clearance)
        (may|must|can) not (see|view|access|share|disclose|reveal|show|give out)
        (cannot|can't|won't|not able to|unable to|refuse to) (see|view|access|share|disclose|reveal|show|give out|hand out)
        only * (may|allowed to) (see|view|access)
        (can only|may only|only able to) (show|share|see|view|give)
        (access|permission) * (denied|restricted|limited)
        restricted (to|for|data|information)
        (confidential|privacy)
        (your|this|the) role (does not|doesn't|may not|cannot|can't|is not|isn't|has no)
        tidak (berhak|berwenang|diizinkan|diperbolehkan|diperkenankan|boleh)
        dilarang
        (tidak|tanpa|belum) (memiliki|mempunyai|punya|ada) * (akses|izin|wewenang|kewenangan|hak)
        (tanpa|tidak ada) (akses|izin|wewenang|kewenangan)
        akses * (ditolak|dibatasi|terbatas)
        di luar (wewenang|kewenangan|hak)
        (rahasia|data pribadi)
        tidak (dapat|bisa) (membagikan|menampilkan|mengungkapkan|menunjukkan|memperlihatkan|membuka|membocorkan)
        hanya (untuk|boleh|dapat dilihat|bisa dilihat|dapat diakses|bisa diakses)
        (isn't|aren't) * (allowed|authorised|authorized|permitted)
        tidak (dapat|bisa|boleh) * (ditampilkan|dibagikan|diungkapkan|ditunjukkan|diperlihatkan)
        alasan (privasi|keamanan|kerahasiaan)
        (is|are|that's|it's) (restricted|confidential|private)
        (off limits|off-limits)
        (must|have to) refuse
        dirahasiakan
        hanya * yang (boleh|berhak|berwenang|dapat|bisa) (melihat|mengakses)
        terbatas untuk
        tidak (dapat|bisa|boleh) (mengakses|melihat)
    """,
    UNANSWERABLE: """
        (no|not any|lack|lacks|lacking|without|missing) * (data|information|column|columns|table|tables|record|records|field|fields|figures)
        (do|does) not (have|hold|contain|record|include|store|track|cover|know)
        (don't|doesn't) (have|hold|contain|record|include|store|track|cover|know)
        (is|are|was|were) (not|never) * (available|recorded|stored|tracked|captured|included|collected|kept|known)
        (isn't|aren't|wasn't|weren't) * (available|recorded|stored|tracked|captured|included|collected|kept|known|in the)
        (data|information|figures) (is|are) (unavailable|missing)
        not in (the|our|this) (data|warehouse|database|schema)
        (cannot|can't|can not) be (answered|determined|computed|calculated|derived|known)
        not possible to (answer|determine|compute|calculate|say)
        only (recorded|available|goes back|known) (from|since|until|up to|to)
        (tidak|belum|tak) (ada|terdapat|tersedia|memiliki|mempunyai|punya) * (data|informasi|kolom|tabel|catatan)
        (tidak|belum|tak) (menyimpan|mencatat|memuat|mencakup|berisi) *
        (data|informasi|kolom|tabel|catatan|angka) * (tidak|belum|tak) (tersedia|ada|tercatat|dicatat|disimpan|direkam|lengkap)
        (tidak|belum) (tercatat|dicatat|tersedia|disimpan|direkam)
        (tidak|tak) (dapat|bisa) (dijawab|dihitung|ditentukan|diketahui|dipastikan)
        (couldn't|could not|can't|cannot|unable to|didn't|did not) (find|locate) * (data|information|column|columns|table|tables|records)
        (is|are|was|were) not (present|contained|part of)
        not found in (the|our|this) (data|dataset|warehouse|database|schema)
        (outside|beyond) the scope
        none of * (records|holds|contains|stores|tracks|covers|includes|record|hold|contain|store|track|cover|include)
        (holds|contains|records|stores|tracks|hold|contain|record|store|track) no
        tidak (menemukan|ditemukan) * (data|informasi|kolom|tabel|catatan)
        only (track|tracks|store|stores|record|records|hold|holds)
        has nothing (on|about)
        (couldn't|could not|can't|cannot|can not|unable to|didn't|did not) (find|locate) * anywhere
        no way (of|to) (knowing|know|tell|telling)
        (data|information) * (is|are) (missing|unavailable)
        (cannot|can't|can not) answer * (from|with) * data
        outside of (what|the)
        (tidak|belum) (kami|kita) (simpan|catat|rekam)
        datanya (tidak|belum) (ada|tersedia|lengkap)
    """,
    AMBIGUOUS: """
        (do|did) you mean
        what (do|did) you mean
        (do you want|would you like)
        (which|what) * (do you|would you|are you|did you|is meant|you mean|you want)
        (which|what) * should (i|we|it)
        (could|can|would) you * (clarify|specify|tell me|say|explain|confirm)
        please * (clarify|specify|say|tell me|choose|define|confirm|let me know)
        (ambiguous|unclear|not clear)
        depends on * (what|which|how|whether|definition|measure)
        (can|could|may|might) (be read|mean|be understood|be measured|be defined|be interpreted|refer to)
        more than one (way|meaning|reading)
        (several|different|multiple|various) (ways|meanings|readings|definitions|interpretations)
        needs? (to know|clarification)
        (apakah|apa) yang (anda|bapak|ibu|dimaksud) *
        apakah (maksud|yang dimaksud|anda bermaksud) *
        (maksud|maksudnya) (anda|apa|bapak|ibu|yang mana)
        yang dimaksud * (apa|mana)
        definisi * (apa|mana|yang mana)
        dari (segi|sisi) (apa|mana)
        yang (anda|bapak|ibu) maksud+
        mana yang (anda|dimaksud|harus|ingin|sebaiknya)
        (menurut|berdasarkan) (apa|mana|yang mana)
        (ukuran|definisi|kriteria|metrik|periode) (apa|mana|yang mana)
        (mohon|tolong|silakan|harap) * (diperjelas|perjelas|memperjelas|jelaskan|dijelaskan|pilih|memilih)
        (mohon|tolong|silakan|harap) * (sebutkan|menyebutkan|tentukan|menentukan|konfirmasi)
        (perlu|butuh|memerlukan|membutuhkan) (penjelasan|kejelasan|klarifikasi|keterangan lebih)
        ambigu
        (kurang|belum) jelas
        (tergantung|bergantung) * (apa|definisi|ukuran|apakah|yang mana|periode)
        (dapat|bisa) (berarti|diartikan|dimaknai|diukur|didefinisikan|merujuk)
        are you (asking|looking|referring|interested|thinking)
        (could|can|would) you * be * (specific|precise)
        by (what|which) (measure|metric|definition|criterion|criteria|period)
        need * (more|further) (information|details|detail|context)
        (bisa|dapat|boleh) * (diperjelas|dijelaskan|diperinci)
        apakah (anda|bapak|ibu) (ingin|mau|menginginkan) * atau
        (saya|kami) perlu (tahu|mengetahui|informasi)
        (beberapa|berbagai) (cara|arti|makna|definisi|tafsiran|kemungkinan)
        pilih (salah satu|antara|yang mana)
        (could|can|would) you let me know
        (mau|ingin) dilihat
        boleh tahu
        dalam hal apa
        (butuh|perlu|memerlukan|membutuhkan) informasi (tambahan|lebih)
        (anda|bapak|ibu) maksud
    """,
    # a decline that gives no reason
    "": """
        (cannot|can't|can not|unable to|not able to|not possible to) (help|answer|provide|give|tell|say|do that)
        i * decline
        (tidak|belum|tak) (dapat|bisa|mampu) (menjawab|membantu|memberikan|menyediakan|memberi|menyampaikan|menyebutkan)
        (saya|kami) menolak
    """,
}


def _compiled(line: str) -> re.Pattern[str]:
    words = re.escape(line).replace(r"\ ", " ").replace(r"\(", "(?:").replace(r"\)", ")").replace(r"\|", "|").replace(r"\?", "?")
    words = words.replace(r" \* ", r" (?:[\w'-]+,? ){0,6}").removesuffix(r" \*").replace(r"\+", r"\w*")
    return re.compile(rf"\b{words}\b")


# Sentences that offer more once an answer is given: who says them does not ask what is meant.
_OFFERS = """
    (would you|do you) (like|want) * (chart|graph|plot|table|breakdown|detail|details|report|dashboard)
    (would you|do you) (like|want) * (more|else|another|export|download|csv)
    (would you|do you) (like|want) me to (also|export|show|create|make|plot|break|draw|send|prepare|run|generate|list)
    (would you|do you) (like|want) me to (visualise|visualize|drill)
    (which|what) (else|other)
    (anything|something) else
    let me know if
    (feel free|don't hesitate)
    apakah * (lagi|lain|lainnya|grafik|grafiknya|tabel|tabelnya|diagram|bagan|rincian|rinciannya|detail|detailnya|bantuan)
    (jika|bila|kalau|apabila) (perlu|diperlukan|butuh|dibutuhkan|membutuhkan|memerlukan|ada yang|ada hal)
    jangan ragu
"""
MONTHS = (
    r"(?:jan(?:uary|uari)?|feb(?:ruary|ruari)?|mar(?:ch|et)?|apr(?:il)?|may(?= \d{4})|mei|june?|juni|july?|juli|aug(?:ust)?|agu(?:stus)?|"
    r"sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cs](?:ember)?)\b"
)


PATTERNS = tuple((kind, _compiled(line)) for kind, lines in _LINES.items() for line in map(str.strip, lines.strip().splitlines()))
OFFERS = tuple(map(_compiled, map(str.strip, _OFFERS.strip().splitlines())))
