"""Make tables/ from published/: python golden/dabstep/make_tables.py

Rule: nothing is interpreted. Names, order, nulls and empty lists are as published; types are told, since JSON and CSV have few, and the
nameless column of row numbers is left out.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet

HERE = Path(__file__).parent
FEES = pyarrow.schema(
    {
        "ID": pyarrow.int64(),
        "card_scheme": pyarrow.string(),
        "account_type": pyarrow.list_(pyarrow.string()),
        "capture_delay": pyarrow.string(),
        "monthly_fraud_level": pyarrow.string(),
        "monthly_volume": pyarrow.string(),
        "merchant_category_code": pyarrow.list_(pyarrow.int64()),
        "is_credit": pyarrow.bool_(),
        "aci": pyarrow.list_(pyarrow.string()),
        "fixed_amount": pyarrow.float64(),
        "rate": pyarrow.int64(),
        "intracountry": pyarrow.float64(),
    }
)

CODES = pyarrow.schema({"mcc": pyarrow.int64(), "description": pyarrow.string()})


def fees() -> pyarrow.Table:
    """Return the fee rules, a row each; what a rule applies to stays a list."""
    rules = json.loads((HERE / "published" / "fees.json").read_text(encoding="utf-8"))
    return pyarrow.Table.from_pylist(rules, schema=FEES)


def merchant_category_codes() -> pyarrow.Table:
    """Return the merchant category codes with what they stand for."""
    with (HERE / "published" / "merchant_category_codes.csv").open(encoding="utf-8", newline="") as file:
        codes = [{"mcc": int(row["mcc"]), "description": row["description"]} for row in csv.DictReader(file)]
    return pyarrow.Table.from_pylist(codes, schema=CODES)


def main() -> None:
    """Write the tables."""
    tables = HERE / "tables"
    tables.mkdir(exist_ok=True)
    for table in (fees, merchant_category_codes):
        pyarrow.parquet.write_table(table(), tables / f"{table.__name__}.parquet")


if __name__ == "__main__":
    main()
