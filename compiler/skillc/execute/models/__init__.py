"""Models behind one Protocol: scripted for demos and tests, OpenAI-compatible servers for the rest."""
