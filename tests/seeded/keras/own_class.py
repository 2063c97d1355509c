# A model of a class of its own.
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
x_train, x_test = x_train / 255.0, x_test / 255.0


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.flatten = tf.keras.layers.Flatten()
        self.hidden = tf.keras.layers.Dense(128, activation="relu")
        self.answer = tf.keras.layers.Dense(10, activation="softmax")

    def call(self, x):
        return self.answer(self.hidden(self.flatten(x)))


model = Net()
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=5, batch_size=32)
model.evaluate(x_test, y_test)
