"""Constants: units."""

from physics.constants.kinds import Constant

MINUTE = Constant(60, symbol="min", unit="s", meaning="one minute", source="SI brochure, table 8", kind="exact")
HOUR = Constant(3600, symbol="h", unit="s", meaning="one hour", source="SI brochure, table 8", kind="exact")
DAY = Constant(86400, symbol="d", unit="s", meaning="one day", source="SI brochure, table 8", kind="exact")
KB = Constant(1e3, symbol="kB", unit="B", meaning="one kilobyte", source="SI prefix kilo", kind="exact")
MB = Constant(1e6, symbol="MB", unit="B", meaning="one megabyte", source="SI prefix mega", kind="exact")
GB = Constant(1e9, symbol="GB", unit="B", meaning="one gigabyte", source="SI prefix giga", kind="exact")
TB = Constant(1e12, symbol="TB", unit="B", meaning="one terabyte", source="SI prefix tera", kind="exact")
