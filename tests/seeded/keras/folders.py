# Pictures from folders, by generators.
from keras.layers import Conv2D, Dense, Flatten, MaxPooling2D
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator

train_gen = ImageDataGenerator(rescale=1.0 / 255, horizontal_flip=True)
valid_gen = ImageDataGenerator(rescale=1.0 / 255)
train = train_gen.flow_from_directory("data/train", target_size=(64, 64), batch_size=32, class_mode="binary")
valid = valid_gen.flow_from_directory("data/valid", target_size=(64, 64), batch_size=32, class_mode="binary")

model = Sequential()
model.add(Conv2D(16, (3, 3), activation="relu", input_shape=(64, 64, 3)))
model.add(MaxPooling2D((2, 2)))
model.add(Conv2D(32, (3, 3), activation="relu"))
model.add(MaxPooling2D((2, 2)))
model.add(Flatten())
model.add(Dense(64, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(optimizer="rmsprop", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=20, validation_data=valid)
