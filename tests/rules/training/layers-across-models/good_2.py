from keras.layers import LSTM, Dense
from keras.models import Sequential


def build():
    model = Sequential()
    model.add(LSTM(50, input_shape=(20, 1)))
    model.add(Dense(1))
    model.compile("adam", loss="mse")
    return model


for seed in range(5):
    model = build()
    model.fit(x, y, epochs=10)
    scores.append(model.evaluate(x_test, y_test))
