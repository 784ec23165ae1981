"""What the documentation site is made with: tables from registries, pictures from runs, formulas as drawings."""
