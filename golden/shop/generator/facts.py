"""Facts: what the generated shop is. Countries, products, channels, campaigns; all of it invented.

Rautan sells stationery and art supplies from Jakarta, Johor Bahru and Brisbane to three regions. Its books are kept in rupiah.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

FIRST_DAY, LAST_DAY = date(2024, 1, 1), date(2026, 6, 30)  # of orders; refunds on them go on until October 2026
LAST_REFUND_DAY = date(2026, 10, 31)
SESSIONS_SINCE = date(2025, 10, 1)
LEGACY_FROZEN_SINCE = date(2026, 3, 1)
REGIONS = ("nusantara", "semenanjung", "oseania")


@dataclass(frozen=True, slots=True)
class Country:
    """Where the shop sells: amounts in hundredths of the currency, rates in hundredths of a rupiah for one unit of it."""

    code: str
    name: str
    region: str
    currency: str
    utc_offset_hours: int  # of the region's warehouse; none of them has summer time
    vat_percent: int
    customers_percent: int
    price_rate: int  # at which prices are listed
    first_rate: int  # of January 2024, in the books
    shipping: int
    free_shipping_from: int


COUNTRIES = (
    Country("ID", "Indonesia", "nusantara", "IDR", 7, 11, 54, 100, 100, 1_800_000, 40_000_000),
    Country("MY", "Malaysia", "semenanjung", "MYR", 8, 10, 16, 330_000, 334_500, 950, 15_000),
    Country("SG", "Singapore", "semenanjung", "SGD", 8, 9, 12, 1_100_000, 1_163_000, 490, 6_000),
    Country("AU", "Australia", "oseania", "AUD", 10, 10, 12, 980_000, 1_028_000, 890, 9_000),
    Country("NZ", "New Zealand", "oseania", "NZD", 10, 15, 6, 900_000, 954_000, 1_290, 12_000),
)


@dataclass(frozen=True, slots=True)
class Product:
    """One product; cost and list price of one pack, in rupiah, the price with VAT."""

    product_id: int
    name: str
    category: str
    cost_idr: int
    price_idr: int
    pieces: int
    popularity: int
    launched: date

    @property
    def is_vat_exempt(self) -> bool:
        """Books carry no VAT, in any country."""
        return self.category == "books"


# name | cost, list price (thousands of rupiah) | pieces in a pack | popularity | launched later than the shop
_PRODUCTS = {
    "paper": """
        Cotton watercolour block A4 | 121 219 | 1 | 14
        Cotton watercolour block A3 | 208 379 | 1 | 6
        Dotted notebook A5, sewn | 34 79 | 1 | 22
        Ruled notebook B5, recycled | 21 49 | 1 | 19
        Sketch pad A4, 60 sheets | 38 85 | 1 | 17
        Banana-fibre sheets | 46 95 | 10 | 5
        Origami squares, 15 cm | 17 39 | 100 | 9
        Correspondence cards with envelopes | 41 99 | 12 | 4 | 2025-05-05
    """,
    "pens": """
        Gel pen 0.38, black | 24 59 | 5 | 24
        Gel pens, twelve colours | 62 139 | 12 | 16
        Fountain pen, resin | 142 289 | 1 | 7
        Fountain pen, teak | 265 525 | 1 | 3
        Iron gall ink 50 ml | 57 119 | 1 | 6
        Brush pens, soft tip | 51 115 | 6 | 12
        Calligraphy nibs | 33 75 | 10 | 5
        Rollerball refills | 19 45 | 3 | 11
        Fineliners, sepia set | 54 125 | 4 | 7 | 2025-02-03
    """,
    "paint": """
        Watercolour half pans, 12 | 168 335 | 12 | 11
        Watercolour half pans, 24 | 301 589 | 24 | 5
        Gouache set, 18 tubes | 189 359 | 18 | 7
        Acrylic tube, titanium white | 44 89 | 1 | 13
        Acrylic set, 10 tubes | 172 329 | 10 | 8
        Batik dye, indigo | 49 109 | 1 | 4
        Linseed oil 100 ml | 39 85 | 1 | 3
        Lino ink, water-washable | 58 125 | 1 | 4 | 2025-08-04
    """,
    "brushes": """
        Round brush no. 8 | 48 109 | 1 | 11
        Round brushes, set of five | 111 239 | 5 | 7
        Flat brush, hog bristle | 36 79 | 1 | 7
        Squirrel mop | 129 269 | 1 | 3
        Water brushes | 42 99 | 3 | 9
        Bamboo brush | 29 69 | 1 | 4
    """,
    "drawing": """
        Graphite pencils 6B-4H | 63 139 | 12 | 15
        Coloured pencils, 36 | 152 309 | 36 | 10
        Kneaded erasers | 14 35 | 2 | 13
        Long-point sharpener | 58 129 | 1 | 8
        Charcoal sticks | 27 65 | 12 | 6
        Steel ruler 30 cm | 22 49 | 1 | 9
        Cutting mat A3 | 71 149 | 1 | 5
        Mechanical pencil 0.5 | 49 115 | 1 | 12
        Lead refills HB | 11 29 | 24 | 8
        Wax pastels, 16 | 44 99 | 16 | 6 | 2025-10-06
    """,
    "books": """
        Urban sketching in the tropics | 88 175 | 1 | 8
        Letters by hand | 79 159 | 1 | 6
        The colour wheel, annotated | 112 229 | 1 | 4
        Paper folding for patient people | 61 129 | 1 | 5
    """,
}


def _products() -> tuple[Product, ...]:
    products: list[Product] = []
    for category, lines in _PRODUCTS.items():
        for line in filter(None, map(str.strip, lines.splitlines())):
            name, prices, pieces, popularity, *launched = (part.strip() for part in line.split("|"))
            cost, price = (1000 * int(number) for number in prices.split())
            since = date.fromisoformat(launched[0]) if launched else FIRST_DAY
            products.append(Product(len(products) + 1, name, category, cost, price, int(pieces), int(popularity), since))
    return tuple(products)


PRODUCTS = _products()

# Channels of orders and sessions with their weights; None is a visitor who declined tracking.
CHANNELS: tuple[str | None, ...] = ("search", "social", "email", "referral", "marketplace", None)
ORDER_CHANNEL_WEIGHTS = (30, 19, 13, 6, 19, 13)
VISIT_CHANNEL_WEIGHTS = (36, 33, 8, 6, 0, 17)  # a marketplace order comes without a session
DEVICES = ("phone", "desktop", "tablet")

REASONS = ("changed mind", "damaged", "wrong item", "arrived late")
REASON_WEIGHTS = (38, 29, 20, 13)

CAMPAIGNS = (
    ("lebaran", date(2024, 3, 25), date(2024, 4, 7)),
    ("back to school", date(2024, 7, 1), date(2024, 7, 14)),
    ("12.12", date(2024, 12, 10), date(2024, 12, 12)),
    ("lebaran", date(2025, 3, 17), date(2025, 3, 30)),
    ("back to school", date(2025, 7, 1), date(2025, 7, 14)),
    ("12.12", date(2025, 12, 10), date(2025, 12, 12)),
    ("lebaran", date(2026, 3, 6), date(2026, 3, 19)),
)


def campaign_on(day: date) -> str | None:
    """Return the campaign that ran on a day."""
    return next((name for name, first, last in CAMPAIGNS if first <= day <= last), None)
