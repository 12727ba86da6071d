"""Long runs of the real firmware that count what must not happen: `python -m hardware.campaigns.NAME`.

A campaign is a process of its own, as the twin is: it brings firmware, link and simulator together, which
nobody else may. It answers one JSON object on stdout with its figures and `missed`, the lines that were not
reached; progress goes to stderr. `controller/cli/campaign.py` lists them.
"""
