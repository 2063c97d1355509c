import numpy as np
from keras.layers import Dense
from keras.models import Sequential

epochs = 400
model = Sequential([Dense(1, input_shape=(8,))])
model.compile("adam", "mse")
model.fit(np.zeros((100, 8)), np.zeros((100, 1)), epochs=epochs // 2)
