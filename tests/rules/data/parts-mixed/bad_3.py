import numpy as np
from keras.layers import Dense, LSTM
from keras.models import Sequential

series = np.loadtxt("load.csv")
xtrain, xtest = series[:500, :-1, None], series[500:, :-1, None]
ytrain, ytest = series[:500, -1], series[500:, -1]
model = Sequential([LSTM(16, input_shape=(23, 1)), Dense(1)])
model.compile(optimizer="adam", loss="mae")
model.fit(xtrain, ytrain, epochs=30, batch_size=16, validation_data=(xtest, ytrain))
