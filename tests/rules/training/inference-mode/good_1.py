import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([
    layers.Conv2D(16, 3, input_shape=(32, 32, 3)),
    layers.BatchNormalization(),
    layers.ReLU(),
    layers.Flatten(),
    layers.Dropout(0.3),
    layers.Dense(10, activation="softmax"),
])
optimizer = tf.keras.optimizers.Adam(1e-3)
compare = tf.keras.losses.SparseCategoricalCrossentropy()


def step(x, y):
    with tf.GradientTape() as tape:
        loss = compare(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for x, y in batches:
    step(x, y)
