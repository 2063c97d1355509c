from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD

for rate in [0.1, 0.01]:
    net = Sequential()
    net.add(Dense(64, activation="relu", input_dim=30))
    net.add(Dense(3, activation="softmax"))
    net.compile(loss="categorical_crossentropy", optimizer=SGD(rate), metrics=["accuracy"])
    net.fit(x_train, y_train, epochs=10)
    print(rate, net.evaluate(x_test, y_test))
