from keras.layers import Dense, Input, concatenate
from keras.models import Model

left = Input(shape=(8,))
right = Input(shape=(4,))
both = concatenate([Dense(16)(left), Dense(16)(right)])
model = Model(inputs=left, outputs=Dense(1)(both))
