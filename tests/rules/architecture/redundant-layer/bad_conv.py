from keras.layers import Conv1D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Conv1D(16, 3, strides=2, input_shape=(100, 1)))
model.add(Conv1D(32, 3, strides=2))
model.add(Flatten())
model.add(Dense(64, activation='relu'))
model.add(Dense(32, activation='relu'))
model.add(Dense(3, activation='softmax'))
model.compile('adam', 'sparse_categorical_crossentropy')
