from keras.layers import LSTM, Bidirectional, Dense, Input, TimeDistributed, concatenate
from keras.models import Model, Sequential

left = Sequential([Dense(4, input_shape=(8,))])
right = Sequential([Dense(4, input_shape=(8,))])
both = concatenate([left.output, right.output])
steps = Input((5, 8))
inner = TimeDistributed(left)(steps)
scores = Bidirectional(LSTM(4))(inner)
model = Model(steps, scores)
