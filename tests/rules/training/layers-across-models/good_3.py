from keras.applications import VGG16
from keras.layers import Dense, Flatten
from keras.models import Sequential

base = VGG16(include_top=False, input_shape=(64, 64, 3))
base.trainable = False
for units in (32, 64):
    model = Sequential([base, Flatten(), Dense(units, activation="relu"), Dense(3, activation="softmax")])
    model.compile("adam", loss="categorical_crossentropy")
    model.fit(x / 255, y, epochs=5)
