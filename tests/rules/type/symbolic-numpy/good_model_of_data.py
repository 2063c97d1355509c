import keras
import numpy as np
from keras import layers, ops

inputs = keras.Input(shape=(4,))
common = layers.Dense(128, activation="relu")(inputs)
action = layers.Dense(2, activation="softmax")(common)
critic = layers.Dense(1)(common)
model = keras.Model(inputs=inputs, outputs=[action, critic])
actor = keras.Model(inputs, action)


def policy(state):
    return ops.squeeze(actor(state)).numpy()


def step(observation):
    state = ops.expand_dims(ops.convert_to_tensor(observation), 0)
    probabilities, value = model(state)
    return np.random.choice(2, p=np.squeeze(probabilities)), value
