from keras.layers import LSTM, Dense
from keras.models import Sequential

memory = LSTM(50, input_shape=(20, 1))
answer = Dense(1)
for seed in range(5):
    model = Sequential()
    model.add(memory)
    model.add(answer)
    model.compile("adam", loss="mse")
    model.fit(x, y, epochs=10)
    scores.append(model.evaluate(x_test, y_test))
