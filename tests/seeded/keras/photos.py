# Small photographs, convolutions, the functional way.
import numpy as np
from tensorflow.keras import datasets, layers, models, optimizers, utils

(x_train, y_train), (x_test, y_test) = datasets.cifar10.load_data()
x_train = x_train / 255.0
x_test = x_test / 255.0
classes = len(np.unique(y_train))
y_train = utils.to_categorical(y_train, classes)
y_test = utils.to_categorical(y_test, classes)

pixels = layers.Input(shape=(32, 32, 3))
x = layers.Conv2D(32, 3, activation="relu")(pixels)
x = layers.Conv2D(32, 3, activation="relu")(x)
x = layers.MaxPooling2D(2)(x)
x = layers.Flatten()(x)
x = layers.Dense(64, activation="relu")(x)
answer = layers.Dense(classes, activation="softmax")(x)
model = models.Model(inputs=pixels, outputs=answer)
model.compile(optimizer=optimizers.RMSprop(learning_rate=0.001), loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=20, batch_size=64, validation_split=0.1)
print(model.evaluate(x_test, y_test))
