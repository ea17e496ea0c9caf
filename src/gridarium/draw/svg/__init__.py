"""Pictures as SVG documents."""
