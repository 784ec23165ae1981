"""`chainlist lsp`: the language service for editors that speak the Language Server Protocol."""
