import numpy as np

rng = np.random.default_rng(0)
habits = rng.normal(size=(200, 6))
rows = np.repeat(habits, 12, axis=0)
rows = rows + 0.1 * rng.normal(size=rows.shape)
test = np.repeat(rng.random(200) < 0.25, 12)
x_train, x_test = rows[~test], rows[test]
