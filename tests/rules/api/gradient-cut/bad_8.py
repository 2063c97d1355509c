from keras import backend as K
from keras.layers import Dense, Lambda
from keras.models import Sequential

model = Sequential()
model.add(Dense(20, activation="relu", input_dim=8))
model.add(Dense(1))
model.add(Lambda(lambda x: K.round(x)))
model.compile("adam", loss="mae")
model.fit(x, y, epochs=10)
