import numpy as np
from tensorflow.keras.layers import Dense, Embedding, GlobalAveragePooling1D
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

texts = ['a warm day', 'rain', 'snow in the night']
words = Tokenizer(num_words=50)
words.fit_on_texts(texts)
x = pad_sequences(words.texts_to_sequences(texts))
model = Sequential([Embedding(50, 4), GlobalAveragePooling1D(), Dense(1, activation='sigmoid')])
model.compile(loss='binary_crossentropy', optimizer='adam')
model.fit(x, np.array([1, 0, 0]))
