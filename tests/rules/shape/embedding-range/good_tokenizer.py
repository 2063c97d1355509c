from keras.layers import Dense, Embedding, LSTM
from keras.models import Sequential
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer
import numpy as np

texts = [line.strip() for line in open('reviews.txt')]
stars = np.loadtxt('stars.txt')
words = Tokenizer(num_words=5000)
words.fit_on_texts(texts)
x = pad_sequences(words.texts_to_sequences(texts), maxlen=80)
model = Sequential([Embedding(5000, 32), LSTM(32), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
model.fit(x, stars, epochs=5)
