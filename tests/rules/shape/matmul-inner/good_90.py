from keras.layers import Dense, Dot, Input, LSTM
from keras.models import Model

words = Input(shape=(12, 30))
query = Input(shape=(5, 30))
a = LSTM(64, return_sequences=True)(words)
b = LSTM(64, return_sequences=True)(query)
scores = Dot(axes=(2, 2))([b, a])
mixed = Dot(axes=(2, 1))([scores, a])
model = Model([words, query], mixed)
