import numpy as np
from keras.layers import Dense
from keras.models import Sequential

latest_x, latest_y = np.load("latest_x.npy"), np.load("latest_y.npy")
trainable_x = latest_x[:100]
model = Sequential([Dense(8, activation="relu", input_shape=(40,)), Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(latest_x, latest_y, epochs=30)
print(model.predict(trainable_x))
