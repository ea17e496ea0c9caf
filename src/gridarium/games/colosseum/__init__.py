"""The games of ColosseumRL under their documented names, with its config strings, actions and observations.

Each is a world of the catalogue; the modules are imported when `get_environment` asks for a game. What differs from
ColosseumRL is listed in docs/games.md.

Source: ColosseumRL (Shmakov et al. 2019).
"""
