"""Your cluster: what Slurm says of its nodes, as a file or pasted."""

import streamlit as st

from ui.base import device, state
from ui.base import format as f
from ui.base.words import literal

COMMAND = """TZ=UTC scontrol show node > nodes.txt
TZ=UTC sacctmgr --parsable2 show event start=now-365days format=NodeName,TimeStart,TimeEnd >> nodes.txt"""
#: Characters that are pasted at most: a browser's message is bounded.
MOST_PASTED = 200_000
_HELD, _FILE, _TEXT = "_cluster_nodes", "cluster_nodes", "cluster_nodes_text"


def draw() -> tuple[bytes, ...]:
    """Draw where the nodes are given, and return what was: it stays in the visit while the box is closed."""
    box, wanted = device.expander("Nodes: how many there are, and when they were down", "cluster_nodes_fold",
                                  ":material/dns:")  # fmt: skip
    held = state.read(_HELD)
    if wanted:
        with box:
            st.markdown(
                "Without it the size is the largest use in the log, and time down counts as idle. The output of "
                '`sinfo -N -o "%N|%P|%c|%G|%T"` is read, too.'
            )
            st.code(COMMAND, language="bash", wrap_lines=True)
            st.file_uploader("Nodes, plain or gzip", key=_FILE, max_upload_size=20, on_change=_sent)
            st.text_area("Or paste it", key=_TEXT, height=80, max_chars=MOST_PASTED)
            st.button("Use the pasted text", key="cluster_nodes_use", on_click=_pasted)
            if held:
                names = " and ".join(f"{literal(name)} ({f.data(len(data))})" for name, data in held.items())
                st.caption(f"In use: {names}.")
                st.button("Remove", key="cluster_nodes_remove", icon=":material/delete:", on_click=state.drop,
                          args=(_HELD,))  # fmt: skip
    return tuple(held.values())


def _sent() -> None:
    sent = state.get(_FILE)
    state.put(_HELD, {} if sent is None else {sent.name: sent.getvalue()})


def _pasted() -> None:
    """Take the pasted text, and empty its field: what stands there is sent again with every turn of a knob."""
    if text := str(state.get(_TEXT, "")).strip():
        state.put(_HELD, {name: data for name, data in state.read(_HELD).items() if name != "pasted"}
                  | {"pasted": text.encode()})  # fmt: skip
        state.put(_TEXT, "")
