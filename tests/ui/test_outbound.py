"""What is sent with every run says the same as without the memory."""

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from ui.base import outbound


def test_the_remembered_theme_is_the_one_that_streamlit_reads():
    outbound.remember_theme()
    for section in ("theme", "theme.light", "theme.dark", "theme.sidebar"):
        read, *again = CustomThemeConfig(), CustomThemeConfig(), CustomThemeConfig()
        outbound._POPULATE(read, section)
        for one in again:
            app_session._populate_theme_msg(one, section)
            assert one == read, section
