from keras.datasets import boston_housing
from keras.models import Sequential
from keras.layers import Dense
(x, y), (xt, yt) = boston_housing.load_data()
model = Sequential()
model.add(Dense(64, activation='relu', input_shape=(13,)))
model.add(Dense(1))
model.compile('rmsprop', 'mse', metrics=['mae'])
model.fit(x, y, epochs=100)
