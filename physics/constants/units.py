"""Constants: units."""

from physics.constants.kinds import exact

MINUTE = exact(60, "s", "one minute", "SI brochure, table 8", symbol="min")
HOUR = exact(3600, "s", "one hour", "SI brochure, table 8", symbol="h")
DAY = exact(86400, "s", "one day", "SI brochure, table 8", symbol="d")
MB = exact(1e6, "B", "one megabyte", "SI prefix mega", symbol="MB")
GB = exact(1e9, "B", "one gigabyte", "SI prefix giga", symbol="GB")
TB = exact(1e12, "B", "one terabyte", "SI prefix tera", symbol="TB")
