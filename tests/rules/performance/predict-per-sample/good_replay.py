import random
import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(8, input_dim=4, activation='relu'), Dense(2)])
model.compile('adam', 'mse')


def replay(memory, size):
    batch = random.sample(memory, size)
    states = np.vstack([row[0] for row in batch])
    wanted = model.predict(states)
    for i, (state, action, reward, after) in enumerate(batch):
        wanted[i][action] = reward
    model.fit(states, wanted, verbose=0)
