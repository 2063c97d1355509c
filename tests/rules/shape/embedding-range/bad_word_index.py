from tensorflow.keras.layers import LSTM, Dense, Embedding
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

texts = open("reviews.txt").read().splitlines()
tokenizer = Tokenizer()
tokenizer.fit_on_texts(texts)
x = pad_sequences(tokenizer.texts_to_sequences(texts), maxlen=100)
words = len(tokenizer.word_index)
model = Sequential([Embedding(words, 64), LSTM(32), Dense(1, activation="sigmoid")])
