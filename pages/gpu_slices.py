"""GPU slices: which instances fit on one GPU, and what stays free that no instance can use."""

from lessons import GPU_SLICES as LESSON
from ui.page.opening import open_page

open_page(LESSON).run()
