from keras.layers import Dense, Embedding, Flatten, Input
from keras.models import Model

words = Input(shape=(30,))
h = Embedding(500, 16, input_length=40)(words)
out = Dense(2, activation='softmax')(Flatten()(h))
model = Model(words, out)
