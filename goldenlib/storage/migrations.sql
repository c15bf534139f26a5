-- Migrations of the store: each is applied once, in order, when a store is opened. One that was released is never edited; a change is a new
-- one at the end. A line "-- number: what for" begins it; statements end with a semicolon, and other lines of comment tell why.
-- {sequence}, {bigint}, {time} and {float} are written as each engine calls them (migrations.py).

-- 1: runs, results, answers
CREATE TABLE golden_runs (
    run_seq {sequence},
    run_id TEXT NOT NULL UNIQUE,
    run_at {time} NOT NULL,
    set_name TEXT NOT NULL,
    set_digest TEXT NOT NULL,
    set_size INTEGER NOT NULL,
    series TEXT NOT NULL,
    target TEXT NOT NULL,
    judge_model TEXT,
    judge_prompt_digest TEXT,
    scorer_version TEXT NOT NULL,
    settings TEXT NOT NULL,
    selection TEXT NOT NULL,
    all_item_ids TEXT NOT NULL,
    allow_unverified BOOLEAN NOT NULL,
    is_demo BOOLEAN NOT NULL,
    finished_at {time},
    decision TEXT,
    exit_code INTEGER,
    decision_line TEXT,
    reasons TEXT NOT NULL,
    decision_json TEXT,
    experiment TEXT,
    arm TEXT,
    repeat INTEGER
);
CREATE TABLE golden_results (
    run_id TEXT NOT NULL REFERENCES golden_runs (run_id) ON DELETE CASCADE,
    item_id TEXT NOT NULL,
    run_at {time} NOT NULL,
    run_seq {bigint} NOT NULL,
    series TEXT NOT NULL,
    surface TEXT NOT NULL,
    domain TEXT NOT NULL,
    question_preview TEXT NOT NULL,
    answer_preview TEXT NOT NULL,
    score {float},
    passed BOOLEAN,
    reason TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('scored', 'error', 'skipped')),
    judge_status TEXT NOT NULL,
    verified BOOLEAN NOT NULL,
    digest TEXT NOT NULL,
    seconds {float},
    first_content_seconds {float},
    attempts INTEGER,
    finished_at {time},
    PRIMARY KEY (run_id, item_id),
    CHECK (status <> 'scored' OR passed IS NOT NULL)
);
CREATE TABLE golden_answers (
    run_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    question TEXT NOT NULL,
    answer TEXT,
    answer_error TEXT,
    scores TEXT NOT NULL,
    PRIMARY KEY (run_id, item_id),
    FOREIGN KEY (run_id, item_id) REFERENCES golden_results (run_id, item_id) ON DELETE CASCADE
);
-- All results of an item, whatever became of it: its history in reports.
CREATE INDEX golden_results_history ON golden_results (series, item_id, run_at DESC, run_seq DESC);
-- The latest scored result of an item before a given run: the baseline (contract 1). Errors and skips are not in it.
-- It is created after the other one: when both seem equally good, SQLite takes the younger.
CREATE INDEX golden_results_baseline ON golden_results (series, item_id, run_at DESC, run_seq DESC)
WHERE status = 'scored';
CREATE INDEX golden_runs_series ON golden_runs (series, run_at DESC, run_seq DESC);
CREATE INDEX golden_runs_latest ON golden_runs (run_at DESC, run_seq DESC);

-- 2: what data questions add: parts of answers, kinds and splits, the outcome's word, and who started a run
ALTER TABLE golden_runs ADD COLUMN started_by TEXT NOT NULL DEFAULT '';
ALTER TABLE golden_results ADD COLUMN split TEXT NOT NULL DEFAULT '';
ALTER TABLE golden_results ADD COLUMN kind TEXT NOT NULL DEFAULT 'answer';
ALTER TABLE golden_results ADD COLUMN word TEXT NOT NULL DEFAULT '';
ALTER TABLE golden_answers ADD COLUMN parts TEXT;
-- How often a held-out split was scored, without reading every result.
CREATE INDEX golden_results_split ON golden_results (split, run_id) WHERE split <> '';

-- 3: runs in order of their creation, baselines of finished runs alone, contracts, and regressions that somebody lets stand
ALTER TABLE golden_runs ADD COLUMN selected INTEGER;
ALTER TABLE golden_results ADD COLUMN baseline_for TEXT;
ALTER TABLE golden_results ADD COLUMN fault BOOLEAN NOT NULL DEFAULT FALSE;
-- A selection of more characters would have a digest here, which not every engine can make; such a run is no baseline any more.
UPDATE golden_results SET baseline_for = (
    SELECT golden_runs.selection FROM golden_runs
    WHERE golden_runs.run_id = golden_results.run_id AND golden_runs.finished_at IS NOT NULL AND length(golden_runs.selection) <= 64
)
WHERE status = 'scored';
DROP INDEX golden_results_history;
DROP INDEX golden_results_baseline;
DROP INDEX golden_runs_series;
DROP INDEX golden_runs_latest;
CREATE INDEX golden_results_history ON golden_results (series, item_id, run_seq DESC);
CREATE INDEX golden_results_baseline ON golden_results (series, item_id, baseline_for, run_seq DESC)
WHERE baseline_for IS NOT NULL;
CREATE INDEX golden_runs_series ON golden_runs (series, run_seq DESC);
CREATE TABLE golden_contracts (digest TEXT PRIMARY KEY, contract TEXT NOT NULL);
CREATE TABLE golden_acceptances (
    run_id TEXT NOT NULL REFERENCES golden_runs (run_id) ON DELETE CASCADE,
    item_id TEXT NOT NULL,
    accepted_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    accepted_at {time} NOT NULL,
    PRIMARY KEY (run_id, item_id)
);

-- 4: what results are counted by besides the domain
ALTER TABLE golden_results ADD COLUMN labels TEXT;
