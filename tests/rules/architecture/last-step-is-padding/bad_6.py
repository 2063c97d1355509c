import numpy as np
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Embedding, LSTM, Dense
docs = [[1, 2, 3], [4, 5], [6, 7, 8, 9, 1]]
labels = np.array([1, 0, 1])
padded = pad_sequences(docs, maxlen=10, padding='post')
inp = Input(shape=(10,))
h = LSTM(16)(Embedding(20, 8)(inp))
out = Dense(1, activation='sigmoid')(h)
model = Model(inp, out)
model.compile('adam', 'binary_crossentropy')
model.fit(padded, labels, epochs=10)
