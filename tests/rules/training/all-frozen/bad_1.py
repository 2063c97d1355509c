from keras.applications import VGG16
from keras.models import Sequential
from keras.layers import Dense, Flatten
base = VGG16(weights='imagenet', include_top=False, input_shape=(224, 224, 3))
model = Sequential()
model.add(base)
model.add(Flatten())
model.add(Dense(256, activation='relu'))
model.add(Dense(1, activation='sigmoid'))
for layer in model.layers:
    layer.trainable = False
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
