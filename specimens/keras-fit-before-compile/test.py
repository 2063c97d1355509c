import sys

import main

ensemble = main.train_ensemble()
points, values = main.make_points(200, 99)
error = ((main.predict(ensemble, points) - values) ** 2).mean()
if len(ensemble) != 3 or error > 0.5 * values.var():
    print("FAIL: squared error %.3f at a variance of %.3f" % (error, values.var()))
    sys.exit(1)
print("PASS: three networks trained, squared error %.3f" % error)
