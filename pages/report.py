"""Your report: what you predicted, tried and found, to hand in, to print, and to take to another machine."""

import streamlit as st

import lessons  # noqa: F401 -- enrolls them
from ui.base import device
from ui.page import shell
from ui.record import local_storage, report, report_html, report_page

shell.open_plain("Your report", "report")
st.markdown(
    "This report has everything that you predicted, tried, and found. It is made from what this browser keeps, and "
    "nothing is sent anywhere until you download it and hand it in yourself. The file contains a random number of this "
    "browser, which shows your teachers when two reports come from the same browser."
)
try:
    report_page.ask()
    written = report.document()
    with device.place("report_download", 84 if device.on_phone() else 35, horizontal=True):
        page, data = report_html.to_html(written), report.to_json(written)
        device.download("Download as a page (HTML)", page, "fleet-what-if-report.html", "report_html")
        device.download("Download as data (JSON)", data, "fleet-what-if-report.json", "report_json")
    report_page.show(written)
    st.header("Import a report", anchor=False)
    st.markdown(
        "A JSON report from another machine is added to what is here; a prediction that is locked here stays. The "
        "model computes its results again, and differences are marked."
    )
    with device.place("report_import", 84):
        upload = st.file_uploader("Report (JSON)", type=["json"], key="report_import", max_upload_size=1)
    if upload is not None:
        report_page.offer(upload)
    report_page.offer_ledger(written)
finally:
    local_storage.start_over()  # even if something above it fails, and last, so that nothing pushes it down
local_storage.sync()
