"""What Streamlit sends with every run, made once where it never changes.

With every turn of a knob it reads all its options six times to say how the page is colored: a tenth of the server's
processor time. There is no option for that, so the function that does it is replaced by one that remembers.
"""

from functools import lru_cache

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

_POPULATE = app_session._populate_theme_msg


@lru_cache(maxsize=16)
def _theme(section: str) -> CustomThemeConfig:
    found = CustomThemeConfig()
    _POPULATE(found, section)
    return found


def _populate(message: CustomThemeConfig, section: str = "theme") -> None:
    """Fill in what one section of the options says of the theme."""
    if (found := _theme(section)).ByteSize():
        message.MergeFrom(found)


def remember_theme() -> None:
    """Read the theme once from now on."""
    app_session._populate_theme_msg = _populate
