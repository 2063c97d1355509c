"""Records training runs for Lacewing. `lacewing watch -- python train.py` needs no change of the program."""
