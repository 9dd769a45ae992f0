"""From question to page: analysis, candidates, score, order."""
