import numpy as np
rows = ['a b', 'c d']
x = np.array([[1 for w in r.split()] for r in rows])
