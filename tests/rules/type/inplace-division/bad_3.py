import tensorflow as tf

(images, labels), _ = tf.keras.datasets.cifar10.load_data()
images = images[:1000]
images /= 255.0
print(images.mean(), labels.shape)
