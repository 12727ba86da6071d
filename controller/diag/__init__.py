"""The technician's tools: ask the board, or the service that holds it; move something when asked to."""

from controller.diag.board import Board
from controller.diag.desk import Desk, Place, find_desk
from controller.diag.errors import DiagError
from controller.diag.service import TableService

__all__ = ["Board", "Desk", "DiagError", "Place", "TableService", "find_desk"]
