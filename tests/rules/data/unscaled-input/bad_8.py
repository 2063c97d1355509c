from keras.preprocessing.image import ImageDataGenerator
from keras.applications import VGG16
from keras.models import Sequential
from keras.layers import Dense, Flatten
gen = ImageDataGenerator()
train = gen.flow_from_directory('train', target_size=(150, 150), batch_size=20, class_mode='categorical')
model = Sequential()
model.add(Flatten(input_shape=(150, 150, 3)))
model.add(Dense(256, activation='sigmoid'))
model.add(Dense(3, activation='softmax'))
model.compile('sgd', 'categorical_crossentropy')
model.fit_generator(train, steps_per_epoch=50, epochs=5)
