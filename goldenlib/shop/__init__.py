"""The shop: a generated warehouse with fourteen traps, and 48 golden data questions about it (golden/shop).

Everything in it is invented. Build it with `build_shop()`, show an agent `describe_schema(connection)`, and ask it the
questions of golden/shop/questions.toml; golden/shop/README.md says what is what.
"""

from __future__ import annotations

from goldenlib.shop.building import build_shop, fill_shop, shop_digest
from goldenlib.shop.describing import describe_schema
from goldenlib.shop.roles import SCOPES, Scope, narrow_shop

__all__ = ["SCOPES", "Scope", "build_shop", "describe_schema", "fill_shop", "narrow_shop", "shop_digest"]
