"""What editors know of chainlists: one service for the workbench and for the language server."""
