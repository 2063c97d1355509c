from keras.datasets import boston_housing
from keras import models, layers
(x, y), (xt, yt) = boston_housing.load_data()
mean = x.mean(axis=0)
x = (x - mean) / x.std(axis=0)
model = models.Sequential()
model.add(layers.Dense(64, activation='relu', input_shape=(13,)))
model.add(layers.Dense(1, activation='sigmoid'))
model.compile(optimizer='rmsprop', loss='mse', metrics=['mae'])
model.fit(x, y, epochs=80, batch_size=16)
