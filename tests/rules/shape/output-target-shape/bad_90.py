import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.utils import to_categorical

model = Sequential([Dense(8, activation='relu', input_shape=(5,)), Dense(1, activation='sigmoid')])
model.compile(loss='binary_crossentropy', optimizer='adam')
model.fit(np.random.rand(90, 5), to_categorical(np.random.randint(0, 3, 90)), epochs=40)
