from keras.layers import BatchNormalization, Conv1D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Conv1D(16, 1, strides=2, input_shape=(100, 1)))
model.add(Conv1D(32, 3, strides=2, activation='relu'))
model.add(Conv1D(32, 3, activation='relu'))
model.add(Flatten())
model.add(Dense(3, activation='softmax'))
model.compile('adam', 'sparse_categorical_crossentropy')
