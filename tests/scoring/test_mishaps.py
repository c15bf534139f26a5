"""Mishaps: error messages and serialised nothing in the place of answers."""

from __future__ import annotations

import time

import pytest

from goldenlib.scoring.mishaps import check_shape, looks_like_mishap


@pytest.mark.parametrize(
    "answer",
    [
        *("<h1>Bad Gateway</h1>", "<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>", "<p>Service Unavailable</p>"),
        *("<title>503 Service Temporarily Unavailable</title>", "Request failed with status code 500", "ECONNREFUSED 127.0.0.1:80"),
        *("error code: 1020", "Not Found", "timeout", "Proxy Error", "default backend - 404"),
        *("Model overloaded, please retry", "context length exceeded", "data: [DONE]", "function () { [native code] }"),
        "502 Bad Gateway",
        "502 Bad Gateway\n\nnginx/1.24.0 (Ubuntu)",
        "<html><body>Service Unavailable</body></html>",
        "<!DOCTYPE html>\n<html lang='id'><head><title>Maintenance</title></head><body>" + "x" * 5_000 + "</body></html>",
        "null",
        "undefined",
        "None",
        "NaN",
        "`null`",
        '"undefined"',
        "[object Object]",
        "[object Object][object Object]",
        "undefined undefined",
        "nullnull",
        "{}",
        "[]",
        "Internal Server Error",
        "HTTP 500: Internal Server Error",
        "HTTP/1.1 503 Service Unavailable",
        "Error: 504 Gateway Time-out",
        "504 Gateway Timeout - nginx",
        "404 Not Found",
        "Error 500",
        "HTTP 503",
        "Galat 502",
        "Bad Request",
        "Cannot POST /api/orchestrate",
        "<Response [502]>",
        "RuntimeError('no model')",
        "Application error: a client-side exception has occurred",
        "[DONE]",
        "**403 Forbidden**",
        "Service Temporarily Unavailable",
        "error code: 502",
        "Error: connect ECONNREFUSED 127.0.0.1:8080",
        "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
        "upstream request timeout",
        "no healthy upstream",
        "Too Many Requests",
        "Rate limit exceeded. Please try again later.",
        "Rate limit reached for gpt-4o in organization org-x on tokens per min",
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: x',
        'java.lang.NullPointerException: Cannot invoke "String.length()"\n\tat com.x.Y.z(Y.java:12)',
        "TypeError: Cannot read properties of undefined (reading 'text')",
        "KeyError: 'content'",
        'Exception in thread "main" java.lang.IllegalStateException',
        '{"error": {"message": "model overloaded", "code": 503}}',
        '{"detail": "Internal Server Error"}',
        '{"message": "Forbidden", "statusCode": 403}',
        '{"type": "error", "text": "x"}',
        "An unexpected error occurred. Please try again later.",
        "Sorry, something went wrong.",
        "The server is currently overloaded.",
        "Terjadi kesalahan pada server",
        "Maaf, terjadi kesalahan pada sistem kami. Silakan coba beberapa saat lagi.",
        "Terjadi gangguan teknis.",
        "Telah terjadi kesalahan saat memproses permintaan Anda.",
        "Layanan sedang tidak tersedia.",
        "Server sedang sibuk, silakan coba lagi.",
        "Mohon maaf, sistem sedang dalam pemeliharaan.",
        "Kesalahan server internal",
        "Permintaan Anda tidak dapat diproses.",
    ],
)
def test_what_looks_like_an_error_message_is_called_one(answer: str) -> None:
    """fd-028."""
    found = check_shape(answer)
    assert found is not None
    assert found.reason.startswith("looks like an error message, not an answer: '")
    assert (found.passed, found.value, found.gates) == (None, None, False)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "0",
        "false",
        "tidak",
        "Tidak ada.",
        "Rp50.000",
        "404",
        "Galat 404 Not Found pada situs AHU berarti halaman tidak ada; periksa alamatnya.",
        "Jika muncul '502 Bad Gateway' di AHU Online, coba beberapa saat lagi atau hubungi 1500-105.",
        "Error 404 di AHU Online biasanya berarti nomor voucher sudah kedaluwarsa.",
        "Terjadi kesalahan penulisan nama pada akta? Ajukan perbaikan data melalui notaris dalam 30 hari.",
        "Terjadi gangguan pada rapat pemegang saham bila kuorum tidak tercapai; rapat kedua wajib dipanggil.",
        "Layanan apostille tidak tersedia di kantor wilayah; ajukan lewat AHU Online.",
        "Permintaan Anda tidak dapat diproses tanpa akta notaris dan KTP seluruh pendiri.",
        "Not found means that the name is free.",
        "The error occurred because the deed was signed after the deadline, so ask the notary for a correction.",
        "Sistem sedang dikembangkan agar pemohon dapat mengunggah akta.",
        "Server kementerian berada di Jakarta.",
        "None of the founders may be a minor.",
        "Null and void: the deed has no effect.",
        "[1] Undang-Undang Nomor 40 Tahun 2007",
        '{"biaya": 50000}',
        '{"status": "ok", "answer": "Rp50.000"}',
        "Maaf, saya tidak tahu biayanya.",
        "Maaf, data itu rahasia.",
        "Forbidden.",
        "Error 404 berarti halaman tidak ada.",
        "Human error: notaris salah menulis nama.",
        "Kesalahan 2 dari 500 berkas.",
        "The service is unavailable on Sundays; on weekdays it opens at 08.00.",
    ],
)
def test_an_answer_is_none(answer: str) -> None:
    assert check_shape(answer) is None


@pytest.mark.parametrize(
    "unit", ["error ", "bad gateway ", "503 ", "null", "x.", "a.b", "terjadi kesalahan sistem ", "please ", "{", "server is ", "sorry but "]
)
def test_a_long_answer_costs_no_time(unit: str) -> None:
    begun = time.process_time()
    for size in (390, 1_000_000):
        looks_like_mishap(unit * (size // len(unit)) + " q")
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("answer", ["<b>Ya</b>, wajib akta notaris.", "Timeout berarti server tidak menjawab.", "<ul><li>KTP</li></ul>"])
def test_a_short_answer_with_markup_is_an_answer(answer: str) -> None:
    assert not looks_like_mishap(answer)
