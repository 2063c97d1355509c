import sys

import main

positions, moves = main.make_positions(300, 1000)
accuracy = (main.Goalkeeper().train().decide(positions) == moves).mean()
if accuracy < 0.85:
    print("FAIL: %.3f of the moves are right" % accuracy)
    sys.exit(1)
print("PASS: %.3f of the moves are right" % accuracy)
