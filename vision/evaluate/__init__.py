"""How well the eyes read: photographs of real sets, frames of the twin, and a peer on the same pictures.

`run.evaluate` makes the figures (`mahjong-table vision evaluate`), `report.page` the page that shows them.
What is judged is what `see tiles` answers, through the same calls; nothing is imported from training.
"""
