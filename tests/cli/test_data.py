"""The commands about data questions, as processes: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from goldenlib.files.shipped import shipped
from tests.cli.test_runs import golden, last_line

QUESTIONS = str(shipped("golden", "shop", "questions.toml"))
GOLD = "region,net\nAMER,10\nAPAC,25.5\n"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a warehouse, a set of two questions, and recorded answers: one right, one wrong."""
    folder = tmp_path_factory.mktemp("sales")
    with duckdb.connect(folder / "sales.duckdb") as connection:
        connection.execute("CREATE TABLE sales AS SELECT * FROM (VALUES ('AMER', 10), ('APAC', 25)) AS t(region, net)")
    questions = [
        ("a", "Net sales?", "SELECT sum(net) AS net FROM sales", "dev"),
        ("b", "Net sales per region?", "SELECT region, net FROM sales", "test"),
    ]
    text = "".join(
        f'[[questions]]\nquestion_id = "{name}"\nquestion = "{asked}"\ngolden_sql = "{sql}"\nnote = "Net."\nsplit = "{split}"\n'
        for name, asked, sql, split in questions
    )
    (folder / "sales.toml").write_text(text, encoding="utf-8")
    (folder / "broken.toml").write_text(text.replace("FROM sales", "FROM nowhere"), encoding="utf-8")
    answers = [{"item_id": "a", "answer": "It was 35."}, {"item_id": "b", "sql": "SELECT region, net + 1 FROM sales"}]
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    (folder / "golden.yaml").write_text(
        'rag_quality:\n  warehouse: sales.duckdb\n  judge_url: "off"\n  targets:\n    public: {kind: recorded, path: answers.jsonl}\n',
        encoding="utf-8",
    )
    return folder


class TestRun:
    """golden run with data questions."""

    def test_takes_dev_unless_told_otherwise(self, sales: Path) -> None:
        done = golden(sales, "run", "sales.toml", "--config", "golden.yaml", "--allow-unverified", "--run-id", "dev")
        assert done.returncode == 0, done.stderr
        assert last_line(done).startswith("PASS (partial run: split dev): 1 of 1 ")

    @pytest.mark.parametrize(("split", "scored"), [("test", 1), ("all", 2)])
    def test_takes_test_or_all_when_told_so(self, sales: Path, split: str, scored: int) -> None:
        done = golden(
            sales, "run", "sales.toml", "--config", "golden.yaml", "--allow-unverified", "--split", split, "--store", f"{split}.db"
        )
        assert done.returncode == 1
        assert f"{scored} of {scored} driven item" in last_line(done)
        assert "The test split was scored 1 time" in done.stdout

    def test_without_a_warehouse_nothing_is_asked(self, sales: Path) -> None:
        done = golden(sales, "run", "sales.toml", "--allow-unverified", "--store", "none.db")
        assert done.returncode == 2
        assert "set warehouse in the configuration" in done.stderr

    def test_a_warehouse_that_is_not_there_is_wrong_use(self, sales: Path) -> None:
        done = golden(sales, "run", "sales.toml", "--config", "golden.yaml", "--store", "none.db", GOLDEN_WAREHOUSE="nowhere.duckdb")
        assert done.returncode == 2
        assert "there is no such file or folder" in done.stderr

    def test_a_broken_gold_is_never_green(self, sales: Path) -> None:
        done = golden(
            sales, "run", "broken.toml", "--config", "golden.yaml", "--allow-unverified", "--split", "all", "--store", "broken.db"
        )
        assert done.returncode == 3
        assert "2 of 2 questions could not be scored, for their gold failed its check" in " ".join(done.stdout.split())


class TestCheck:
    """golden check."""

    def test_golds_that_can_score_end_with_0(self, sales: Path) -> None:
        done = golden(sales, "check", "sales.toml", "--warehouse", "sales.duckdb")
        assert done.returncode == 0, done.stdout
        assert "2 golds checked" in last_line(done)

    def test_a_gold_that_cannot_score_ends_with_1(self, sales: Path) -> None:
        done = golden(sales, "check", "broken.toml", "--warehouse", "sales.duckdb", "--json")
        assert done.returncode == 1
        assert json.loads(done.stdout)["cannot_score"] == ["a", "b"]

    def test_a_warehouse_that_cannot_be_opened_ends_with_2(self, sales: Path) -> None:
        assert golden(sales, "check", "sales.toml", "--warehouse", "nowhere.duckdb").returncode == 2


class TestMatch:
    """golden match."""

    def test_results_that_match_end_with_0(self, tmp_path: Path) -> None:
        write(tmp_path, gold=GOLD, answer="x,reg,n\n1,APAC,25.5\n2,AMER,10\n")
        done = golden(tmp_path, "match", "gold.csv", "answer.csv")
        assert done.returncode == 0
        assert done.stdout.splitlines()[0] == "matches: 2 rows, 2 columns lined up; 1 extra column ignored"
        assert "columns: region = reg, net = n; 1 more" in done.stdout

    def test_results_that_do_not_end_with_1_and_a_guess(self, tmp_path: Path) -> None:
        write(tmp_path, gold=GOLD, answer="reg,n\nAPAC,25500\nAMER,10000\n")
        done = golden(tmp_path, "match", "gold.csv", "answer.csv")
        assert done.returncode == 1
        assert "a thousand times too large" in done.stdout

    def test_order_and_tolerances_can_be_asked_for(self, tmp_path: Path) -> None:
        write(tmp_path, gold=GOLD, answer="region,net\nAPAC,25.5\nAMER,10.2\n")
        loose = ("match", "gold.csv", "answer.csv", "--absolute", "0.2")
        assert golden(tmp_path, *loose).returncode == 0
        assert golden(tmp_path, *loose, "--order-matters").returncode == 1

    def test_the_machine_readable_form_has_rows_and_columns_from_1(self, tmp_path: Path) -> None:
        write(tmp_path, gold=GOLD, answer="region,net\nAMER,11\nAPAC,25.5\n")
        found = json.loads(golden(tmp_path, "match", "gold.csv", "answer.csv", "--json").stdout)
        assert (found["outcome"], found["first_difference"]["row"], found["first_difference"]["column"]) == ("mismatch", 1, 2)

    @pytest.mark.parametrize("words", [("none.csv",), ("gold.csv", "--tolerance", "-1"), ("ragged.csv",)])
    def test_what_cannot_be_compared_ends_with_2(self, tmp_path: Path, words: tuple[str, ...]) -> None:
        write(tmp_path, gold=GOLD, ragged="a,b\n1\n")
        done = golden(tmp_path, "match", "gold.csv", *words)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


class TestCoverage:
    """golden coverage."""

    def test_a_set_without_gaps_ends_with_0(self, tmp_path: Path) -> None:
        done = golden(tmp_path, "coverage", QUESTIONS)
        assert done.returncode == 0
        assert "traps missing from a split: none" in done.stdout

    def test_gaps_are_named_and_end_with_1(self, tmp_path: Path) -> None:
        text = '[[questions]]\nquestion_id = "{0}"\nquestion = "Net {0}?"\ngolden_sql = "SELECT 1"\ntraps = {1}\nsplit = "{2}"\n'
        (tmp_path / "q.toml").write_text(text.format("a", '["vat"]', "dev") + text.format("b", "[]", "test"), encoding="utf-8")
        done = golden(tmp_path, "coverage", "q.toml", "--json")
        assert done.returncode == 1
        assert [gap["name"] for gap in json.loads(done.stdout)["gaps"] if gap["kind"] == "trap-missing"] == ["vat"]
