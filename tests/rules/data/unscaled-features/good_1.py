import numpy as np
from tensorflow import keras

income = np.random.normal(50000, 15000, 1000)
age = np.random.normal(40, 12, 1000)
share = np.random.rand(1000)
x = np.column_stack([income, age, share])
x = (x - x.mean(axis=0)) / x.std(axis=0)
y = (np.random.rand(1000) < 0.5).astype(int)
model = keras.Sequential([keras.layers.Dense(16, activation="tanh", input_shape=(3,)),
                          keras.layers.Dense(1, activation="sigmoid")])
model.compile(loss="binary_crossentropy", optimizer="adam")
model.fit(x, y, epochs=10)
