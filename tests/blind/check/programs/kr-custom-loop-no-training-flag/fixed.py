import tensorflow as tf
from tensorflow.keras import layers


class ConvBlock(layers.Layer):
    def __init__(self, filters, rate):
        super().__init__()
        self.conv = layers.Conv2D(filters, 3, padding="same", use_bias=False)
        self.bn = layers.BatchNormalization()
        self.drop = layers.Dropout(rate)
        self.pool = layers.MaxPooling2D()

    def call(self, x, training=False):
        x = tf.nn.relu(self.bn(self.conv(x), training=training))
        return self.drop(self.pool(x), training=training)


class SmallNet(tf.keras.Model):
    def __init__(self, n_classes):
        super().__init__()
        self.block1 = ConvBlock(32, 0.2)
        self.block2 = ConvBlock(64, 0.3)
        self.pool = layers.GlobalAveragePooling2D()
        self.out = layers.Dense(n_classes)

    def call(self, x, training=False):
        x = self.block1(x, training=training)
        x = self.block2(x, training=training)
        return self.out(self.pool(x))


(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
x_train, x_test = x_train.astype("float32") / 255, x_test.astype("float32") / 255
y_train, y_test = y_train.ravel(), y_test.ravel()
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(20000).batch(128)
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(256)

model = SmallNet(10)
optimizer = tf.keras.optimizers.Adam(1e-3)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
test_acc = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        loss = loss_fn(labels, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


@tf.function
def test_step(images, labels):
    test_acc.update_state(labels, model(images, training=False))


for epoch in range(10):
    test_acc.reset_state()
    for images, labels in train_ds:
        loss = train_step(images, labels)
    for images, labels in test_ds:
        test_step(images, labels)
    tf.print("epoch", epoch, "last loss", loss, "test acc", test_acc.result())
