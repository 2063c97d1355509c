from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD

model = Sequential([Dense(64, activation="relu", input_dim=20), Dense(4, activation="softmax")])
model.compile(SGD(learning_rate=0.00001, momentum=0.9), loss="categorical_crossentropy")
