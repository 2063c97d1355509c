from keras import losses
from keras.layers import Dense, Input
from keras.models import Model

x = Input(shape=(3,))
y = Input(shape=(1,))
out = Dense(1)(x)
model = Model([x, y], out)
model.compile(optimizer='adam', loss=losses.mean_squared_error(y, out))
