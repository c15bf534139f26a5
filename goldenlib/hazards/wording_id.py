"""The findings in Indonesian: for each code and variant a sentence and a suggestion. The variant "" serves all others."""

from __future__ import annotations

CODES: dict[str, dict[str, tuple[str, str]]] = {
    "in-both-lists": {
        "spelling": (
            "Frasa terlarang “{phrase}” sama artinya dengan frasa wajib “{other}”: jawaban benar yang menulis keduanya gagal.",
            "Hapus dari frasa terlarang, atau tulis klaim keliru yang dimaksud.",
        ),
        "": (
            "“{phrase}” diwajibkan dan sekaligus dilarang: tidak ada jawaban yang bisa lulus.",
            "Hapus frasa ini dari salah satu daftar.",
        ),
    },
    "forbidden-in-required": {
        "": (
            "Frasa terlarang “{phrase}” ada di dalam frasa wajib “{other}”: tidak ada jawaban yang bisa lulus.",
            "Hapus frasa terlarang itu, atau dahului dengan pelakunya sehingga tidak lagi menjadi bagian dari frasa wajib.",
        ),
    },
    "required-in-forbidden": {
        "": (
            "Frasa wajib “{phrase}” ada di dalam frasa terlarang “{other}”: jawaban yang keliru pun memenuhinya.",
            "Perpanjang frasa wajib sehingga hanya cocok dengan jawaban yang benar.",
        ),
    },
    "duplicate-phrase": {
        "": (
            "“{phrase}” sudah ada di daftar ini; bagi pemeriksa fakta keduanya sama.",
            "Hapus salah satunya, atau tulis fakta lain yang sebenarnya dimaksud.",
        ),
        "spelling": (
            "“{phrase}” sama artinya dengan “{other}”, dan keduanya wajib: jawaban yang hanya memakai salah satunya gagal.",
            "Sisakan salah satunya, atau pindahkan pilihannya ke rubrik.",
        ),
    },
    "contained-phrase": {
        "required": (
            "“{phrase}” sudah tercakup dalam “{other}”: bila yang panjang ada, yang pendek pasti ada.",
            "Hapus frasa yang pendek.",
        ),
        "forbidden": (
            "“{other}” memuat “{phrase}”: yang pendek sudah melarang semua yang dilarang oleh yang panjang.",
            "Hapus frasa yang panjang, atau hapus yang pendek bila terlalu luas.",
        ),
    },
    "forbidden-in-own-answer": {
        "": (
            "Jawaban ideal butir ini memuat frasa terlarang “{phrase}”, jadi akan gagal oleh syarat lulusnya sendiri.",
            "Perbaiki jawaban idealnya, atau hapus frasa terlarang itu.",
        ),
    },
    "missing-from-own-answer": {
        "": (
            "Frasa wajib “{phrase}” tidak ada dalam jawaban ideal butir ini, jadi jawaban itu pun akan gagal.",
            "Pakai kata-kata yang benar-benar ada dalam jawaban ideal, atau lengkapi jawabannya.",
        ),
    },
    "short-fragment": {
        "forbidden": (
            "“{phrase}” cocok juga di dalam kata lain: {words}. Jawaban yang benar gagal karena kata-kata itu.",
            "Tulis klaim keliru yang khas dalam beberapa kata, bukan satu kata atau singkatan.",
        ),
        "forbidden-short": (
            "“{phrase}” sangat pendek ({letters} karakter): mudah sekali menjadi bagian teks lain, dan jawaban yang benar gagal karenanya.",
            "Tulis klaim keliru yang khas dalam beberapa kata, bukan satu kata atau singkatan.",
        ),
        "required": (
            "“{phrase}” juga dianggap ada di dalam kata lain: {words}. Jawaban yang tidak menyebutnya bisa lulus.",
            "Perpanjang dengan kata di sekitarnya sehingga hanya cocok dengan faktanya.",
        ),
        "required-short": (
            "“{phrase}” sangat pendek ({letters} karakter): bisa kebetulan menjadi bagian teks lain.",
            "Perpanjang dengan kata di sekitarnya, atau pakai kepanjangannya.",
        ),
        "always": (
            "“{phrase}” dilarang, padahal hampir setiap jawaban memuatnya: butir ini tidak akan pernah lulus.",
            "Hapus frasa ini, lalu tulis klaim keliru yang khas dalam beberapa kata.",
        ),
    },
    "common-word": {
        "forbidden": (
            "“{phrase}” adalah kata sehari-hari: jawaban yang benar pun sering memuatnya, lalu gagal.",
            "Tulis klaim kelirunya dalam beberapa kata.",
        ),
        "required": (
            "“{phrase}” adalah kata sehari-hari: jawaban yang salah pun memuatnya.",
            "Tulis faktanya dalam beberapa kata.",
        ),
        "alone": (
            "Hanya “{phrase}” yang diwajibkan butir ini, padahal kata itu umum: jawaban keliru tentang hal yang sama pun memuatnya.",
            "Tulis faktanya dalam beberapa kata, atau tambahkan fakta lain.",
        ),
    },
    "edge-digits": {
        "only-number": (
            "“{phrase}” hanya angka: cocok juga di dalam angka yang lebih panjang, misalnya “{example}”.",
            "Tambahkan kata sebelum dan sesudahnya, misalnya satuannya.",
        ),
        "left": (
            "“{phrase}” dimulai dengan angka, jadi cocok juga dengan “{example}”.",
            "Dahului dengan kata di depannya, misalnya “paling lama” atau “sebanyak”.",
        ),
        "right": (
            "“{phrase}” diakhiri angka, jadi cocok juga dengan “{example}”.",
            "Tambahkan kata sesudah angka itu dalam jawaban, misalnya satuannya.",
        ),
    },
    "edge-code": {
        "": (
            "“{phrase}” cocok juga dengan singkatan yang lebih panjang: {longer}.",
            "Tambahkan kata sesudah “{code}”, atau tulis kepanjangannya.",
        ),
        "numeral": (
            "“{phrase}” berakhir dengan angka Romawi, jadi cocok juga dengan yang lebih panjang: {longer}.",
            "Tambahkan kata sesudah “{code}”.",
        ),
        "letter": (
            "“{phrase}” berakhir dengan satu huruf, jadi cocok juga dengan “{longer}”.",
            "Tambahkan kata sesudah “{code}”.",
        ),
    },
    "forbidden-number": {
        "": (
            "“{phrase}” hanya sebuah angka: jawaban yang menerangkan bahwa angka itu tidak berlaku lagi ikut gagal.",
            "Tulis klaim kelirunya secara lengkap, termasuk keterangan angka itu: biaya, umur, jangka waktu.",
        ),
    },
    "own-denial": {
        "": (
            "“{phrase}” ada di dalam bantahannya sendiri. Jawaban benar yang berbunyi “{denial}” akan gagal otomatis.",
            "Tulis klaim lengkap dengan pelakunya, sehingga kata “tidak” atau “bukan” terletak di tengah frasa; atau pindahkan ke rubrik.",
        ),
        "named": (
            "“{phrase}” ada di dalam bantahannya sendiri. Jawaban benar yang berbunyi “{denial}” akan gagal otomatis.",
            "Sebut pelakunya: “{better}”. Atau pindahkan ke rubrik.",
        ),
    },
    "required-denied": {
        "": (
            "Jawaban yang membantah, “{denial}”, juga memuat frasa wajib “{phrase}”.",
            "Perpanjang frasa ke depan sehingga bantahannya memutus frasa, atau larang bantahannya.",
        ),
        "named": (
            "Jawaban yang membantah, “{denial}”, juga memuat frasa wajib “{phrase}”.",
            "Sebut pelakunya: “{better}”; atau larang bantahannya.",
        ),
    },
    "in-question": {
        "required": (
            "Frasa wajib “{phrase}” sudah ada di pertanyaan: penolakan yang mengulang pertanyaan otomatis memenuhinya.",
            "Wajibkan fakta yang hanya diketahui dari jawabannya.",
        ),
        "forbidden": (
            "Frasa terlarang “{phrase}” ada di pertanyaan: jawaban yang mengulang pertanyaan gagal karenanya, bukan karena isinya.",
            "Tulis klaim kelirunya dengan kata lain, atau pindahkan ke rubrik.",
        ),
    },
    "in-refusal": {
        "required": (
            "Frasa wajib “{phrase}” juga muncul dalam penolakan sopan yang tidak menjawab apa-apa.",
            "Wajibkan fakta yang khas bagi pertanyaan ini.",
        ),
        "forbidden": (
            "Frasa terlarang “{phrase}” juga muncul dalam penolakan yang jujur, yang lalu gagal seperti jawaban keliru.",
            "Tulis klaim kelirunya lebih khas.",
        ),
    },
    "sentence-not-fact": {
        "": (
            "“{phrase}” adalah kalimat ({count} kata), bukan fakta: jawaban yang sama isinya hampir tidak pernah sama kata-katanya.",
            "Ambil bagian yang pasti muncul persis begitu (angka, nama, istilah) dan pindahkan sisanya ke rubrik.",
        ),
    },
    "list-in-phrase": {
        "": (
            "“{phrase}” menyebut beberapa hal dalam satu frasa: urutan, koma, dan kata “dan” harus persis sama.",
            "Tulis setiap unsur sebagai frasa sendiri.",
        ),
        "choice": (
            "“{phrase}” adalah pilihan dalam satu frasa: jawaban yang membalik urutannya, atau menyebut salah satunya saja, gagal.",
            "Pindahkan pilihan itu ke rubrik, atau wajibkan yang ada dalam setiap jawaban benar.",
        ),
    },
    "alternatives": {
        "": (
            "“{phrase}” memakai tanda “{sign}”: yang dicari adalah teks itu persis, bukan “{first}” atau “{second}”.",
            "Pilih satu bentuk, atau pindahkan pilihannya ke rubrik.",
        ),
    },
    "punctuation": {
        "typographic": (
            "“{phrase}” memuat tanda {signs} yang jarang ditulis persis sama dalam jawaban.",
            "Tulis dengan tanda biasa: {plain}",
        ),
        "quotes": (
            "“{phrase}” memuat tanda kutip: jawaban tanpa tanda kutip, atau dengan bentuk lain, gagal.",
            "Tulis tanpa tanda kutip: {plain}",
        ),
        "end": (
            "“{phrase}” diakhiri “{signs}”: tanda itu ikut dicari.",
            "Tulis tanpa tanda itu: {plain}",
        ),
        "parentheses": (
            "“{phrase}” memuat bagian dalam kurung, “{signs}”: jawaban tanpa bagian itu gagal.",
            "Wajibkan yang di luar kurung saja, atau tulis masing-masing sebagai frasa sendiri.",
        ),
    },
    "markdown-in-phrase": {
        "": (
            "“{phrase}” memuat penanda format atau gambar ({signs}): apakah jawaban diformat persis begitu hanya kebetulan.",
            "Tulis teksnya saja.",
        ),
        "assertion": ("“{phrase}” diawali “{signs}”, nama pemeriksaan alat lain: tak ada jawaban memuatnya.", "Tulis “{plain}”."),
    },
    "looks-cut": {
        "phrase": (
            "“{phrase}” tampak terpotong.",
            "Lengkapi frasa; bila memuat koma, titik dua, atau “#”, beri tanda kutip di berkas YAML.",
        ),
        "nearly": (
            "“{phrase}” hampir sama dengan “{passage}” dalam butir ini: ada kata yang hilang, atau urutannya lain.",
            "Bila yang dimaksud sama, tulis “{passage}”; jawaban hampir tidak pernah menulisnya dengan cara lain.",
        ),
        "question": (
            "Pertanyaan ini tampak terpotong: “{phrase}”.",
            "Lengkapi pertanyaan, dan beri tanda kutip di berkas YAML.",
        ),
    },
    "currency-form": {
        "": (
            "Jumlah uang dalam “{phrase}” dapat ditulis lain, misalnya “{example}”; jawaban itu gagal.",
            "Pakai bentuk yang selalu ditulis chatbot, atau serahkan angkanya kepada rubrik.",
        ),
    },
    "digit-grouping": {
        "": (
            "Angka dalam “{phrase}” dapat ditulis lain, misalnya “{example}”; jawaban itu gagal.",
            "Pakai bentuk yang selalu ditulis chatbot, atau serahkan angkanya kepada rubrik.",
        ),
    },
    "number-in-words": {
        "": (
            "Bilangan dalam “{phrase}” dapat ditulis dengan angka, dengan huruf, atau keduanya, misalnya “{example}”; jawaban itu gagal.",
            "Ambil bagian tanpa angkanya, yang ada dalam bunyi pasal dan dalam jawaban sehari-hari, dan serahkan angkanya kepada rubrik.",
        ),
    },
    "one-date-spelling": {
        "": (
            "Tanggal dalam “{phrase}” dapat ditulis lain, misalnya “{example}”; jawaban itu gagal.",
            "Pakai “10 Juli 2026” seperti dalam peraturan, atau cukup bulan dan tahunnya.",
        ),
    },
    "citation-form": {
        "": (
            "Peraturan dalam “{phrase}” dapat dikutip dengan cara lain, misalnya “{example}”; jawaban itu gagal.",
            "Pakai bentuk yang selalu ditulis chatbot, atau cukup nomor atau nama yang ada dalam semua bentuk.",
        ),
    },
    "near-synonym": {
        "": (
            "Untuk “{phrase}” ada kata atau ejaan lain yang sama artinya, misalnya “{example}”; jawaban itu gagal.",
            "Pilih bagian fakta yang tidak punya padanan, atau pindahkan ke rubrik.",
        ),
    },
    "affixed-form": {
        "": (
            "“{phrase}” hanya satu bentuk kata; jawaban yang memakai “{example}” gagal.",
            "Tambahkan kata di sekitarnya yang pasti, atau pindahkan ke rubrik.",
        ),
    },
    "ages": {
        "fee": (
            "“{phrase}” memuat tarif atau jumlah uang yang bisa berubah, dan butir ini tidak punya tanggal tinjau ulang.",
            "Isi tanggal tinjau ulang: kapan butir ini harus ditinjau lagi.",
        ),
        "date": (
            "“{phrase}” memuat tanggal, dan butir ini tidak punya tanggal tinjau ulang.",
            "Isi tanggal tinjau ulang: kapan butir ini harus ditinjau lagi.",
        ),
        "now": (
            "“{phrase}” hanya benar untuk sekarang, dan butir ini tidak punya tanggal tinjau ulang.",
            "Tulis periode yang pasti, atau isi tanggal tinjau ulang.",
        ),
        "text": (
            "“{word}” dalam {part} bisa berubah, dan butir ini tidak punya tanggal tinjau ulang.",
            "Isi tanggal tinjau ulang: kapan butir ini harus ditinjau lagi.",
        ),
        "question": (
            "Pertanyaan menyebut “{word}”: jawabannya berubah dengan waktu, dan butir ini tidak punya tanggal tinjau ulang.",
            "Isi tanggal tinjau ulang, atau tanyakan periode yang pasti.",
        ),
    },
    "verified-without-review": {
        "": (
            "Butir ini terverifikasi, tetapi tidak tercatat oleh siapa, kapan, dan atas dasar apa.",
            "Verifikasi lagi dengan nama peninjau, dasar hukum, dan tanggal tinjau ulang.",
        ),
    },
    "passes-empty": {
        "": (
            "Butir ini tidak mewajibkan apa pun: jawaban yang tidak mengatakan apa-apa lolos dari pemeriksaan fakta.",
            "Tambahkan satu fakta sebagai frasa wajib.",
        ),
    },
    "passes-refusal": {
        "": (
            "Penolakan yang sopan lolos dari pemeriksaan fakta butir ini.",
            "Wajibkan fakta yang tidak mungkin ada dalam penolakan.",
        ),
    },
    "passes-echo": {
        "": (
            "Penolakan yang mengulang pertanyaan lolos dari pemeriksaan fakta: semua frasa wajib sudah ada di pertanyaan.",
            "Wajibkan fakta yang hanya diketahui dari jawabannya.",
        ),
    },
    "passes-denial": {
        "": (
            "Jawaban yang membantah semua fakta butir ini lolos dari pemeriksaan fakta.",
            "Tulis frasa dengan pelakunya di depan, atau larang bantahannya.",
        ),
    },
    "passes-other-answer": {
        "": (
            "Jawaban benar untuk {count} butir lain, misalnya {first}, lolos juga di sini.",
            "Tambahkan fakta yang khas bagi pertanyaan ini.",
        ),
    },
    "duplicate-question": {
        "": (
            "Pertanyaan ini sama dengan pertanyaan butir {other}.",
            "Gabungkan kedua butir, atau ubah salah satu pertanyaannya.",
        ),
    },
    "flaky-phrase": {
        "": (
            "“{phrase}” hanya ada dalam {found} dari {total} jawaban terakhir untuk pertanyaan ini: kadang lulus, kadang gagal.",
            "Lihat jawaban yang tidak memuatnya; bila benar, pakai frasa yang ada di semuanya.",
        ),
    },
    "never-present": {
        "": (
            "“{phrase}” tidak ada dalam satu pun dari {total} jawaban terakhir untuk pertanyaan ini.",
            "Lihat jawabannya: bila benar, frasanya yang harus diganti.",
        ),
    },
    "fails-passed-answers": {
        "required": (
            "“{phrase}” tidak ada dalam {count} dari {total} jawaban tersimpan yang lulus: semuanya akan menjadi gagal.",
            "Periksa apakah jawaban itu memang salah; bila tidak, ganti frasanya.",
        ),
        "forbidden": (
            "“{phrase}” ada dalam {count} dari {total} jawaban tersimpan yang lulus: semuanya akan menjadi gagal.",
            "Periksa apakah jawaban itu memang salah; bila tidak, ganti frasanya.",
        ),
    },
    "dead-phrase": {
        "required": (
            "“{phrase}” ada dalam semua {total} jawaban terakhir: belum pernah menggagalkan satu jawaban pun.",
            "Biarkan bila memang fakta pokok; selain itu cari fakta yang membedakan jawaban benar dari yang salah.",
        ),
        "forbidden": (
            "“{phrase}” tidak ada dalam satu pun dari {total} jawaban terakhir: belum pernah menggagalkan satu jawaban pun.",
            "Biarkan bila kekeliruan itu nyata; selain itu hapus.",
        ),
    },
    "cut-by-yaml": {
        "": (
            "“ #” memulai komentar dalam YAML: yang terbaca hanya “{phrase}”, dan “{lost}” hilang.",
            'Beri tanda kutip: "{whole}"',
        ),
    },
    "comma-in-list": {
        "": (
            "Koma tanpa tanda kutip memisahkan “{first}” dan “{phrase}” menjadi dua frasa. Apakah memang dua?",
            'Bila satu, beri tanda kutip: ["{whole}"]; bila dua, beri tanda kutip pada masing-masing.',
        ),
    },
    "unneeded-acceptance": {
        "": (
            "Temuan {code} yang dibiarkan untuk “{phrase}” tidak ada lagi.",
            "Hapus dari temuan yang dibiarkan.",
        ),
        "unknown": (
            "Tidak ada temuan dengan kode {code}, jadi izin untuk “{phrase}” tidak berguna.",
            "Perbaiki kodenya, atau hapus dari temuan yang dibiarkan.",
        ),
    },
}

FACTS: dict[str, str] = {
    "inside-words": "ada di dalam kata: {words} (semuanya {count} kata)",
    "inside-codes": "ada di dalam singkatan: {codes}",
    "no-word-list": "daftar kata lengkap tidak terpasang, jadi hanya sedikit kata yang diperiksa (pip install 'goldenlib[words]')",
    "chance": "kira-kira {percent} jawaban sepanjang 100 kata memuatnya secara kebetulan",
    "also-found-in": "cocok juga dengan: {texts}",
    "code-meanings": "{codes}",
    "denied-in-answers": "dibantah dalam {count} dari {total} jawaban tersimpan untuk butir ini",
    "passage": "“{passage}”",
    "refusal": "penolakan: “{text}”",
    "also-written": "ditulis juga: {variants}",
    "written-otherwise": "{count} dari {total} jawaban tersimpan menulisnya dengan cara lain, dan gagal",
    "example-answer": "jawaban ini lolos: “{text}”",
    "other-items": "lolos: jawaban butir {ids} ({count} dari {total} butir)",
    "failed-answers": "{count} dari {total} jawaban itu gagal karena hal lain",
    "stored-here": "ada dalam {found} dari {total} jawaban tersimpan untuk butir ini; {passed} di antaranya lulus",
    "stored-everywhere": "ada dalam {found} dari {total} jawaban tersimpan semua butir; {passed} di antaranya lulus",
    "at": "baris {line}, kolom {column}",
}

SEVERITIES = {"error": "kesalahan", "warning": "peringatan", "note": "catatan"}
TOTALS = "{errors} kesalahan, {warnings} peringatan, {notes} catatan dalam {items} butir"
NOTHING = "tidak ada yang perlu diperiksa"
NO_WORDS = "wordfreq tidak terpasang: hanya daftar kata pendek yang diperiksa (pip install 'goldenlib[words]')"
