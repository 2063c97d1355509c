from keras.layers import LSTM, Dense
from keras.models import Sequential

model = Sequential()
model.add(LSTM(32, batch_input_shape=(16, 10, 1), stateful=True))
model.add(Dense(1))
model.compile("adam", loss="mse")
for epoch in range(50):
    model.fit(x, y, batch_size=16, epochs=1)
    model.reset_states()
