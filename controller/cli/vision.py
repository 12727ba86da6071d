"""`vision ...`: set up and judge the eyes; one module a command."""

from __future__ import annotations

import typer

from controller.cli.vision_enrol import enrol
from controller.cli.vision_evaluate import evaluate
from controller.cli.vision_marks import calibrate, lens, marks

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def _vision() -> None:
    """Set up and judge the eyes."""


app.command("marks")(marks)
app.command("calibrate")(calibrate)
app.command("lens")(lens)
app.command("enrol")(enrol)
app.command("evaluate")(evaluate)
