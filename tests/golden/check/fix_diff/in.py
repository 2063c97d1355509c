import numpy as np

x = np.zeros(3, dtype=np.float)
y = x.astype(np.int)  # lacewing: ignore[api/removed-name] shown as it is
