import tensorflow as tf

load = tf.keras.utils.image_dataset_from_directory
train = load('flowers', validation_split=0.2, subset='training', seed=1, image_size=(96, 96))
held = load('flowers', validation_split=0.2, subset='validation', seed=1, image_size=(96, 96))
scale = tf.keras.layers.Rescaling(1.0 / 255)
train = train.map(lambda x, y: (scale(x), y))
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation='relu', input_shape=(96, 96, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(5)])
model.compile('adam', tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=held, epochs=20)
