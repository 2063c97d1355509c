from keras.layers import Input, Dense, concatenate
from keras.models import Model
a = Input((10,))
b = Input((5,))
h = concatenate([Dense(16, activation='relu')(a), Dense(16, activation='relu')(b)])
h = Dense(32, activation='relu')(h)
out = Dense(1, activation='sigmoid')(h)
model = Model([a, b], out)
model.compile('adam', 'binary_crossentropy', metrics=['acc'])
