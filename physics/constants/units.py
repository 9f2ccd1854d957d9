"""Constants: units."""

from physics.constants.kinds import Constant

MINUTE = Constant(60, "s", "one minute", "SI brochure, table 8", symbol="min", kind="exact")
HOUR = Constant(3600, "s", "one hour", "SI brochure, table 8", symbol="h", kind="exact")
DAY = Constant(86400, "s", "one day", "SI brochure, table 8", symbol="d", kind="exact")
MB = Constant(1e6, "B", "one megabyte", "SI prefix mega", symbol="MB", kind="exact")
GB = Constant(1e9, "B", "one gigabyte", "SI prefix giga", symbol="GB", kind="exact")
TB = Constant(1e12, "B", "one terabyte", "SI prefix tera", symbol="TB", kind="exact")
