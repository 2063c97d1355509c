import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    layers.Embedding(1000, 32, input_length=50),
    layers.Flatten(),
    layers.Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
(x, y), _ = keras.datasets.imdb.load_data(num_words=10000)
x = keras.preprocessing.sequence.pad_sequences(x, maxlen=50)
model.fit(x, y)
