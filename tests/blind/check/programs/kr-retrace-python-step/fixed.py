import numpy as np
import tensorflow as tf

BETA_WARMUP = 2000


class VAE(tf.keras.Model):
    def __init__(self, d, z=8):
        super().__init__()
        self.enc = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(2 * z)])
        self.dec = tf.keras.Sequential([tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(d)])

    def call(self, x):
        mu, logvar = tf.split(self.enc(x), 2, axis=-1)
        code = mu + tf.random.normal(tf.shape(mu)) * tf.exp(0.5 * logvar)
        return self.dec(code), mu, logvar


def beta_at(step):
    return min(1.0, step / BETA_WARMUP)


def make_dataset(n=20000, d=32):
    rng = np.random.default_rng(0)
    x = (rng.normal(size=(n, 5)) @ rng.normal(size=(5, d))).astype("float32")
    x = (x - x.mean(0)) / x.std(0)
    return tf.data.Dataset.from_tensor_slices(x).shuffle(n).batch(64, drop_remainder=True)


model = VAE(32)
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(x, beta):
    with tf.GradientTape() as tape:
        recon, mu, logvar = model(x)
        rec = tf.reduce_mean(tf.reduce_sum(tf.square(x - recon), axis=-1))
        kld = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + logvar - mu ** 2 - tf.exp(logvar), axis=-1))
        loss = rec + beta * kld
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return rec, kld


dataset = make_dataset()
step = 0
for epoch in range(10):
    for x in dataset:
        rec, kld = train_step(x, tf.constant(beta_at(step), tf.float32))
        step += 1
    print(f"epoch {epoch} rec {float(rec):.3f} kld {float(kld):.3f}")
