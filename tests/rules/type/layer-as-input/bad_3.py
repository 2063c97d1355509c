from keras.layers import Dense, concatenate
from keras.models import Sequential

left = Sequential([Dense(4, input_shape=(8,))])
right = Sequential([Dense(4, input_shape=(8,))])
both = concatenate([left, right])
