"""Attacks: SQL that an agent must not get away with, what each tries, and which outcomes hold it."""

from __future__ import annotations

from dataclasses import dataclass

from goldenlib.warehouse import FailureKind

REFUSED, ERROR, TIME = {FailureKind.REFUSED}, {FailureKind.REFUSED, FailureKind.SQL_ERROR}, {FailureKind.TIMEOUT}
SIZE = {FailureKind.TOO_MUCH_MEMORY, FailureKind.TOO_MANY_ROWS, FailureKind.TIMEOUT, FailureKind.SQL_ERROR}


@dataclass(frozen=True)
class Attack:
    """One attempt. `allowed_outcomes` are the kinds that hold it; it never gives rows."""

    tries: str
    sql: str
    allowed_outcomes: set[FailureKind]

    def __str__(self) -> str:
        return self.tries.replace(" ", "-")


# Refused by reading them. {canary} is a file with a secret, {out} a path that must not come into being.
REFUSALS = [
    Attack(tries, sql, REFUSED)
    for tries, sql in {
        "read a csv": "SELECT * FROM read_csv('{canary}')",
        "read a csv with detection": "SELECT * FROM read_csv_auto('{canary}', header = true)",
        "read a csv qualified": "SELECT * FROM system.main.read_csv('{canary}')",
        "read a csv quoted": """SELECT * FROM "read_csv"('{canary}')""",
        "read a csv laterally": "SELECT * FROM sales, LATERAL read_csv('{canary}')",
        "read a csv in a subquery": "SELECT (SELECT max(secret) FROM read_csv('{canary}'))",
        "read a csv in a cte": "WITH x AS (FROM read_csv('{canary}')) SELECT * FROM x",
        "read a csv in the other half of a union": "SELECT region FROM sales UNION ALL SELECT secret FROM read_csv('{canary}')",
        "read a file as a table": "SELECT * FROM '{canary}'",
        "read a file as a quoted table": """SELECT * FROM "{canary}" AS t""",
        "read a pattern": "SELECT * FROM '/etc/*.conf'",
        "read a text": "SELECT content FROM read_text('{canary}')",
        "read a blob": "SELECT content FROM read_blob('/etc/passwd')",
        "read json": "SELECT * FROM read_json_auto('{canary}')",
        "read parquet": "SELECT * FROM read_parquet('{canary}')",
        "read parquet metadata": "SELECT * FROM parquet_metadata('{canary}')",
        "read another database file": "SELECT * FROM read_duckdb('{out}')",
        "sniff a csv": "SELECT * FROM sniff_csv('{canary}')",
        "list files": "SELECT * FROM glob('/etc/*')",
        "read over http": "SELECT * FROM 'https://example.invalid/x.csv'",
        "read over s3": "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
        "scan sqlite": "SELECT * FROM sqlite_scan('{canary}', 't')",
        "scan postgres": "SELECT * FROM postgres_scan('host=localhost', 'public', 't')",
        "copy to a file": "COPY (SELECT 1) TO '{out}'",
        "copy from a file": "COPY sales FROM '{canary}'",
        "export the database": "EXPORT DATABASE '{out}'",
        "import a database": "IMPORT DATABASE '{out}'",
        "attach a file": "ATTACH '{out}' AS other",
        "detach": "DETACH small",
        "install httpfs": "INSTALL httpfs",
        "load httpfs": "LOAD httpfs",
        "pragma": "PRAGMA database_list",
        "pragma as a table": "SELECT * FROM pragma_database_list()",
        "set": "SET memory_limit = '100GB'",
        "set variable": "SET VARIABLE x = 1",
        "reset": "RESET lock_configuration",
        "use another schema": "USE information_schema",
        "call": "CALL pragma_version()",
        "checkpoint": "CHECKPOINT",
        "begin": "BEGIN TRANSACTION",
        "explain": "EXPLAIN ANALYZE SELECT 1",
        "describe": "DESCRIBE sales",
        "describe in a subquery": "SELECT * FROM (DESCRIBE sales)",
        "show in a subquery": "SELECT * FROM (SHOW TABLES)",
        "summarize": "SUMMARIZE sales",
        "prepare": "PREPARE p AS SELECT 1",
        "execute": "EXECUTE p",
        "create a table": "CREATE TABLE t AS SELECT 1 AS a",
        "create a temporary table": "CREATE TEMP TABLE t AS SELECT 1 AS a",
        "create a view over a file": "CREATE VIEW v AS SELECT * FROM '{canary}'",
        "create a macro": "CREATE MACRO m() AS TABLE SELECT * FROM '{canary}'",
        "create a secret": "CREATE SECRET s (TYPE s3)",
        "drop": "DROP TABLE sales",
        "alter": "ALTER TABLE sales ADD COLUMN x INTEGER",
        "insert": "INSERT INTO sales SELECT * FROM sales",
        "update": "UPDATE sales SET amount = 0",
        "delete": "DELETE FROM sales",
        "merge": "MERGE INTO sales USING sales AS s ON sales.id = s.id WHEN MATCHED THEN DELETE",
        "truncate": "TRUNCATE sales",
        "comment on": "COMMENT ON TABLE sales IS 'x'",
        "cte with delete": "WITH gone AS (DELETE FROM sales RETURNING *) SELECT * FROM gone",
        "cte with insert": "WITH made AS (INSERT INTO sales SELECT * FROM sales RETURNING *) SELECT * FROM made",
        "select into": "SELECT * INTO copied FROM sales",
        "lock rows": "SELECT * FROM sales FOR UPDATE",
        "two statements": "SELECT 1; DROP TABLE sales",
        "two selects": "SELECT 1; SELECT 2",
        "second statement after a comment": "SELECT 1 /* ; */; -- harmless\nDROP TABLE sales",
        "second statement after a dollar text": "SELECT $$a;b$$; DELETE FROM sales",
        "comment that hides a copy": "/* SELECT 1 */ COPY sales TO '{out}' -- SELECT",
        "stacked functions": "SELECT upper(lower(getenv('HOME')))",
        "read a setting": "SELECT current_setting('secret_directory')",
        "read all settings": "SELECT * FROM duckdb_settings()",
        "read the secrets": "SELECT * FROM duckdb_secrets()",
        "read the catalogue": "SELECT sql FROM sqlite_master",
        "read the information schema": "SELECT * FROM information_schema.tables",
        "read the logs": "SELECT * FROM duckdb_logs",
        "write the log": "SELECT write_log('x')",
        "sql in a text": "SELECT * FROM query('SELECT * FROM sales')",
        "table in a text": "SELECT * FROM query_table(['sales'])",
        "sql in json": "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
        "wait": "SELECT pg_sleep(60)",
        "wait in milliseconds": "SELECT sleep_ms(60000)",
        "take a number": "SELECT nextval('numbers')",
        "read a variable": "SELECT getvariable('x')",
        "python's variables": "SELECT * FROM python_scan(surroundings)",
        "a text too long": "SELECT '" + "x" * 60_000 + "'",
        "nested brackets": "SELECT " + "(" * 5_000 + "1" + ")" * 5_000,
        "nested subqueries": "SELECT " + "(SELECT " * 200 + "1" + ")" * 200,
        "nested cases": "SELECT " + "CASE WHEN true THEN " * 2_000 + "1" + " END" * 2_000,
        "nested nots": "SELECT " + "NOT " * 10_000 + "true",
        "a nul character": "SELECT 1 \x00; DROP TABLE sales",
    }.items()
]

# Lawful to read and still no result: the engine or the limits hold them.
RUNAWAYS = [
    Attack("a view over a file", "SELECT * FROM leak", REFUSED),
    Attack("recursion without end", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r", TIME),
    Attack("recursion without end, all rows", "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r", SIZE),
    Attack("cartesian product", "SELECT sum(hash(a.i * b.i)) FROM range(1000000) a(i), range(1000000) b(i)", TIME),
    Attack("cartesian product, all rows", "SELECT * FROM range(1000000) a, range(1000000) b", SIZE),
    Attack("endless sort", "SELECT i FROM range(10000000000) r(i) ORDER BY hash(i)", SIZE),
    Attack("endless distinct", "SELECT count(DISTINCT hash(i)) FROM range(10000000000) r(i)", SIZE),
    Attack("huge list", "SELECT list(i) FROM range(10000000000) r(i)", SIZE),
    Attack("huge list by range", "SELECT len(range(4000000000))", SIZE),
    Attack("huge text", "SELECT repeat('x', 4000000000)", SIZE),
    Attack("huge text that heeds no interrupt", "SELECT lpad('x', 1000000000, 'y')", SIZE),
    Attack("huge texts, many", "SELECT repeat('x', 1000000) FROM range(10000)", SIZE),
    Attack("huge text by aggregation", "SELECT string_agg(repeat('x', 1000000), '') FROM range(100000)", SIZE),
    Attack("stacked repeats", "SELECT length(repeat(repeat(repeat('x', 10000), 10000), 100))", SIZE),
    Attack("too many rows", "SELECT * FROM range(20001)", {FailureKind.TOO_MANY_ROWS}),
    Attack("many columns", "SELECT COLUMNS(*) FROM (SELECT " + ", ".join(f"repeat('x', 9000) AS c{n}" for n in range(1_000)) + ")", SIZE),
    Attack("thousands of operators", "SELECT " + "1+" * 20_000 + "1", ERROR | TIME),
]
