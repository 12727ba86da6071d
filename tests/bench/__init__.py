"""Figures of the budgets (DESIGN section 7): printed, never asserted, since machines are shared and noisy."""
