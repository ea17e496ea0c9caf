"""Pictures as arrays of pixels: tiles of objects, copied together; shapes drawn on top."""
