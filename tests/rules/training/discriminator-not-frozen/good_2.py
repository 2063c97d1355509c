import numpy as np
from tensorflow.keras import layers, models

generator = models.Sequential([layers.Dense(32, activation="relu", input_shape=(8,)), layers.Dense(2)])
critic = models.Sequential([layers.Dense(32, activation="relu", input_shape=(2,)), layers.Dense(1, activation="sigmoid")])
critic.compile("adam", loss="binary_crossentropy")
critic.trainable = False
both = models.Sequential([generator, critic])
both.compile("adam", loss="binary_crossentropy")

while True:
    noise = np.random.rand(64, 8)
    critic.train_on_batch(sample(64), np.ones((64, 1)))
    critic.train_on_batch(generator.predict(noise), np.zeros((64, 1)))
    both.train_on_batch(noise, np.ones((64, 1)))
