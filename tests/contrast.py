"""How far apart two colors are to the eye (W3C, Web Content Accessibility Guidelines 2.2, 2023)."""


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colors `#rrggbb`, from 1 to 21; text on a ground needs 4.5."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    """The relative luminance of a color `#rrggbb`, from 0 for black to 1 for white."""
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
