"""Two screens: how a presenter opens the projector and the remote, and which playlist they step through."""

import segno
import streamlit as st

from polls import questions
from ui.base import device, state
from ui.classes import playlist, screen
from ui.classes.lecture import Lecture


def draw(lecture: Lecture) -> None:
    """Draw, folded, the links of both screens, and the choice of a playlist."""
    code = lecture.poll.code
    with st.expander("Two screens", icon=":material/present_to_all:", key="class_screens"):
        st.markdown(
            "The projector shows the question, how to join, and the bars. The controls are on the remote, with your "
            "notes, the clock, and the bars before the hall sees them."
        )
        projector, remote = screen.link(code, present="screen"), screen.link(code, remote="1")
        with st.container(horizontal=True):
            st.link_button("Open the projector", projector, icon=":material/tv:")
            st.link_button("Open the remote", remote, icon=":material/settings_remote:")
        with st.container(horizontal=True, vertical_alignment="center"):
            picture = segno.make(remote, error="m").svg_inline(scale=4, border=3, light="#ffffff")
            st.image(picture, width=130, alt=f"QR code of {remote}")
            st.markdown("On a phone or another computer the remote asks for your PIN.", width="stretch")
    choose(lecture)


def choose(lecture: Lecture) -> None:
    """Draw, folded, the choice of a playlist: one that is shipped, or an edited one."""
    shipped, written = playlist.shipped(), lecture.stage.plan
    with st.expander("Playlist", icon=":material/playlist_play:", key="class_playlist"):
        st.markdown(
            "A playlist takes the class through a lesson, step by step. **Page Down** or **space** moves forward, and "
            "**Page Up** moves back. On an animation, space starts and pauses it."
        )
        names = {name: playlist.plan(text, "").title for name, text in shipped.items()}
        if state.get("class_plan") not in names:
            state.put("class_plan", next(iter(names)))
        st.selectbox("Lecture", list(names), key="class_plan", format_func=lambda one: names.get(one, one))
        chosen = shipped[state.get("class_plan")]
        with st.container(horizontal=True):
            icon = ":material/play_arrow:"
            st.button("Begin it", key="class_plan_begin", icon=icon, on_click=lecture.load, args=(chosen,))
            device.download(
                "Download to edit", chosen, f"{state.get('class_plan').replace('/', '_')}.toml", "class_plan_file"
            )
            if written:
                st.button("End the playlist", key="class_plan_end", on_click=lecture.load, args=("",))
        st.file_uploader(
            "Or your own playlist (TOML)", type="toml", key="class_plan_own", on_change=_uploaded, args=(lecture,)
        )
        st.text_area("Or paste it here", key="class_plan_text", max_chars=questions.LARGEST_FILE, height=110)
        st.button("Begin the pasted playlist", key="class_plan_paste", on_click=_pasted, args=(lecture,))


def _uploaded(lecture: Lecture) -> None:
    """Callback: begin the playlist of a file; what is too large is not read."""
    file = state.get("class_plan_own")
    if file is not None:
        lecture.begin(file.getvalue() if file.size <= questions.LARGEST_FILE else bytes(questions.LARGEST_FILE + 1))


def _pasted(lecture: Lecture) -> None:
    """Callback: begin the playlist that was pasted."""
    lecture.begin(str(state.get("class_plan_text") or "").encode())
