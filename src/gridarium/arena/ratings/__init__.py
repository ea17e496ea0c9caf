"""How strong players are: ratings that follow results one by one, and estimates from all results together."""
