from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Conv2D, Dense, Flatten, GlobalAveragePooling2D

model = Sequential()
model.add(Conv2D(64, 3, padding="same", activation="relu", input_shape=(640, 480, 3)))
model.add(GlobalAveragePooling2D())
model.add(Dense(512, activation="relu"))
model.add(Dense(5, activation="softmax"))
