import random
import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(8, input_dim=4, activation='relu'), Dense(2)])
model.compile('adam', 'mse')


def replay(memory, size):
    batch = random.sample(memory, size)
    for state, action, reward, after in batch:
        wanted = model.predict(state)
        wanted[0][action] = reward + 0.9 * np.amax(model.predict(after)[0])
        model.fit(state, wanted, verbose=0)
