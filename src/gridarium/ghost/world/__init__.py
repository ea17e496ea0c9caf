"""The ghost world itself: layouts, paths, observations, rules, and compiled rounds of play."""
