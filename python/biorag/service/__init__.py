"""The public faces: one table of tools, and the fronts that serve it."""

# Imported for the tools that they publish, in the order in which agents should read them.
# isort: off
from biorag.service import tools_recall as tools_recall
from biorag.service import tools_learn as tools_learn
from biorag.service import tools_state as tools_state
from biorag.service import tools_calibration as tools_calibration
from biorag.service import tools_explain as tools_explain
from biorag.service import tools_links as tools_links
from biorag.service import tools_catalogue as tools_catalogue
from biorag.service import tools_hubs as tools_hubs
from biorag.service import tools_similar as tools_similar
