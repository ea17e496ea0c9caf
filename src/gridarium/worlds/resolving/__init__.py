"""From names in a description to objects, colors, actions and rules with their parameters, and back."""
