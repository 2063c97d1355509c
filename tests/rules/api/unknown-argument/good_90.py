from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(1, input_shape=(3,))])
model.compile(optimizer='adam', loss='mse', metrics=['mae'])
