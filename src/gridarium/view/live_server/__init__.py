"""A live world in the browser: several people, each with a link of their own."""
