import sys

from keras.layers import Conv2D, Dense, Flatten, Input
from keras.models import Model

if len(sys.argv) > 1:
    inputs = Input((64, 64, 3))
    x = Conv2D(8, 3)(inputs)
else:
    inputs = Input((32, 32, 3))
    x = Conv2D(8, 3)(inputs)
model = Model(inputs, Dense(2)(Flatten()(x)))
inner = Model(inputs=x, outputs=Dense(2)(Flatten()(x)))
by_name = Model(inputs={"picture": inputs}, outputs=Dense(2)(Flatten()(x)))
