"""GPU slices: the lesson's numbers in words."""

from collections.abc import Mapping
from functools import lru_cache

from lessons.gpu_slices import fragments, gang, stream
from lessons.gpu_slices.settings import Slices
from lessons.gpu_slices.slots import binding, listed, stranded_words
from physics import constants as k
from physics.slicing import layouts
from ui.base import format as f
from ui.base.lesson import Result


def results(wish: Slices) -> list[Result]:
    """The headline numbers, to be pinned, kept and handed in."""
    chance = wish.chance()
    return [
        Result("Fits on one GPU", float(wish.fits), "yes" if wish.fits else "no"),
        Result("Compute slices asked for", wish.compute, f"{wish.compute} of {k.SLICES_COMPUTE:.0f}"),
        Result("Memory slices asked for", wish.memory, f"{wish.memory} of {k.SLICES_MEMORY:.0f}"),
        Result("Gang can start", chance, f.share(chance)),
    ]


@lru_cache(maxsize=1)
def _story() -> dict[str, str]:
    """The numbers of the message's own request and of the second act's story, whatever the knobs say."""
    wish = Slices()
    at = {nodes: wish.chance(nodes) for nodes in (256, 320, 400)}
    blocks = {nodes: wish.chance(nodes, 8) for nodes in (256, 400)}
    return {
        "story_compute": f"{wish.compute}",
        "story_memory": f"{wish.memory}",
        "compute_slices": f"{k.SLICES_COMPUTE:.0f}",
        "memory_slices": f"{k.SLICES_MEMORY:.0f}",
        "layouts_without": f.significant(len(layouts(without=["1g.20gb"]))),
        "layouts_all": f.significant(len(layouts())),
        "story_needed": f.significant(wish.needed),
        "story_free": f.share(wish.free),
        "story_named": f.scientific(wish.free**wish.needed, 2),
        "story_256": f"{at[256]:.3f}",
        "story_320": f.significant(at[320], 2),
        "story_400": f.significant(at[400], 2),
        "story_256_share": f.share(at[256], 2),
        "story_400_share": f.share(at[400], 2),
        "story_256_blocks": f.share(blocks[256], 2),
        "story_400_blocks": f.share(blocks[400], 2),
        "story_256_mean": f.significant(256 * wish.free),
        "story_400_mean": f.significant(400 * wish.free),
        "story_four_blocks": f.share(wish.chance(256, 64), 2),
    }


def live_values(wish: Slices) -> Mapping[str, str]:
    """Every number that the lesson's words need, at these settings."""
    return (
        _story()
        | stream.values(wish)
        | gang.values(wish)
        | fragments.values(wish)
        | {
            "asked": listed(wish.names),
            "asked_compute": f"{wish.compute} of {k.SLICES_COMPUTE:.0f}",
            "asked_memory": f"{wish.memory} of {k.SLICES_MEMORY:.0f}",
            "placed_words": placed_words(wish),
            "left_words": stranded_words(wish.left),
        }
    )


def placed_words(wish: Slices) -> str:
    """Where the instances are."""
    if not wish.names:
        return "Nothing is asked for."
    places = ", ".join(f"{place.profile} at {place.start}" for place in wish.placed)
    if wish.fits:
        return f"Your instances fit, for example as {places}."
    return f"Your instances do not fit: {binding(wish)}. The choice that takes most compute slices is {places}."
