from keras.applications.vgg16 import VGG16
from keras.layers import Input, Flatten, Dense, Dropout
from keras.models import Sequential, Model
vgg16 = VGG16(include_top=False, weights='imagenet', input_tensor=Input(shape=(150, 150, 3)))
top = Sequential()
top.add(Flatten(input_shape=vgg16.output_shape[1:]))
top.add(Dense(256, activation='relu'))
top.add(Dense(17, activation='softmax'))
model = Model(inputs=vgg16.input, outputs=top(vgg16.output))
for layer in model.layers[:15]:
    layer.trainable = False
model.compile(loss='categorical_crossentropy', optimizer='sgd')
