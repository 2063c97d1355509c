import numpy as np
from keras.layers import Dense
from keras.models import Sequential

rows = np.load("letters.npy")
noisy = []
for row in rows:
    changed = []
    for bit in row:
        changed.append(1 - bit)
    noisy.append(changed)
model = Sequential([Dense(4, input_shape=(81,))])
model.compile(optimizer="adam", loss="mse")
print(model.predict(np.array(noisy)))
