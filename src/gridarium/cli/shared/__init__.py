"""Parts that several commands use: arguments, progress bars, recordings, output files."""
