import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
rng = np.random.default_rng(0)

x = rng.normal(size=(3000, 12)).astype("float32")
y = np.argmax(x[:, :4] + 0.3 * rng.normal(size=(3000, 4)), axis=1)
train = tf.data.Dataset.from_tensor_slices((x[:2400], y[:2400])).shuffle(2400).batch(48)
valid = tf.data.Dataset.from_tensor_slices((x[2400:], y[2400:])).batch(200)

model = tf.keras.Sequential([
    tf.keras.Input(shape=(12,)),
    tf.keras.layers.Dense(48, activation="relu"),
    tf.keras.layers.Dense(4),
])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)
train_acc = tf.keras.metrics.SparseCategoricalAccuracy()
valid_acc = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(xb, yb):
    with tf.GradientTape() as tape:
        logits = model(xb, training=True)
        loss = loss_fn(yb, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    train_acc.update_state(yb, logits)


@tf.function
def valid_step(xb, yb):
    valid_acc.update_state(yb, model(xb, training=False))


best = 0.0
for epoch in range(15):
    train_acc.reset_state()
    valid_acc.reset_state()
    for xb, yb in train:
        train_step(xb, yb)
    for xb, yb in valid:
        valid_step(xb, yb)
    current = float(valid_acc.result())
    print(f"epoch {epoch:2d} train {float(train_acc.result()):.3f} valid {current:.3f}")
    if current > best:
        best = current
        model.save_weights("best.weights.h5")
