import tensorflow as tf
(x, y), _ = tf.keras.datasets.mnist.load_data()
x = x[..., None] / 255.0
class Net(tf.keras.Model):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = tf.keras.layers.Conv2D(16, 3, activation='relu')
        self.flat = tf.keras.layers.Flatten()
        self.out = tf.keras.layers.Dense(10)
    def call(self, x):
        return self.out(self.flat(self.conv(x)))
model = Net()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
opt = tf.keras.optimizers.Adam()
for step in range(100):
    with tf.GradientTape() as tape:
        pred = model(x[:32])
        loss = loss_fn(y[:32], pred)
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
