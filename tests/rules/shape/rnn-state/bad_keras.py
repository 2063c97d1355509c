from keras.layers import Dense, Input, LSTM
from keras.models import Model

words = Input(shape=(None, 71))
_, h, c = LSTM(256, return_state=True)(words)
answer = Input(shape=(None, 93))
out, _, _ = LSTM(128, return_sequences=True, return_state=True)(answer, initial_state=[h, c])
model = Model([words, answer], Dense(93, activation='softmax')(out))
