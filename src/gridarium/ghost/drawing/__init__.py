"""Drawing the ghost world: sprites, text and windows."""
