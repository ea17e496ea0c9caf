"""A world as a model to plan with: states by number, outcomes with probabilities, tables T, R and O."""
