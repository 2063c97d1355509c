from keras.layers import Dense, Input, LSTM, dot
from keras.models import Model

words = Input(shape=(12, 30))
query = Input(shape=(5, 30))
a = LSTM(64, return_sequences=True)(words)
b = LSTM(48, return_sequences=True)(query)
scores = dot([b, a], axes=[2, 2])
model = Model([words, query], scores)
