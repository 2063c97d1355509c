import numpy as np
import tensorflow as tf
from keras import backend
from keras.layers import Conv2D, Dense, GlobalMaxPooling2D
from keras.models import Sequential
from keras.optimizers import Adam
from keras.preprocessing.image import ImageDataGenerator

COLOURS = np.array([[220, 40, 40], [40, 200, 60], [40, 60, 220], [220, 210, 40]], "float32")


def make_pictures(seed, count, size=12):
    """Dark pictures (0..255) with a coloured square; the label is its colour."""
    rng = np.random.RandomState(seed)
    label = rng.randint(0, len(COLOURS), count)
    picture = rng.uniform(0, 60, (count, size, size, 3)).astype("float32")
    for i in range(count):
        row, column = rng.randint(0, size - 4, 2)
        picture[i, row:row + 4, column:column + 4] = COLOURS[label[i]]
    return picture, label


def build_model():
    model = Sequential()
    model.add(Conv2D(12, 3, activation="relu", input_shape=(12, 12, 3)))
    model.add(GlobalMaxPooling2D())
    model.add(Dense(len(COLOURS), activation="softmax"))
    model.compile(loss="sparse_categorical_crossentropy", optimizer=Adam(0.02))
    return model


def measured_accuracy(seed, batch_size=20):
    backend.clear_session()
    np.random.seed(seed)
    tf.compat.v1.set_random_seed(seed)
    datagen = ImageDataGenerator(rescale=1.0 / 255)
    picture, label = make_pictures(seed, 400)
    model = build_model()
    model.fit_generator(datagen.flow(picture, label, batch_size=batch_size),
                        steps_per_epoch=20, epochs=8, verbose=0)
    test_picture, test_label = make_pictures(seed + 500, 200)
    flow = datagen.flow(test_picture, batch_size=batch_size, shuffle=False)
    guess = model.predict_generator(flow, steps=10).argmax(axis=1)
    return float(np.mean(guess == test_label))


if __name__ == "__main__":
    print("accuracy {:.3f}".format(measured_accuracy(seed=0)))
