from keras.applications import VGG16
from keras.layers import Dense, Flatten
from keras.models import Model
from keras.optimizers import SGD

base = VGG16(include_top=False, weights="imagenet", input_shape=(150, 150, 3))
features = Flatten()(base.output)
model = Model(inputs=base.input, outputs=Dense(1, activation="sigmoid")(features))
for layer in model.layers[:15]:
    layer.trainable = False
model.compile(loss="binary_crossentropy", optimizer=SGD(learning_rate=1e-4, momentum=0.9))
