"""Class: a lecture hall votes on a lesson's question, discusses, and votes again."""

from ui import keep, shell
from ui.views import class_poll as view

look = shell.open_plain("Class", "class_poll")
view.draw(look)
keep.sync()
