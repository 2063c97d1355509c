import os, numpy as np
from keras.preprocessing.image import load_img, img_to_array
from keras.models import Sequential
from keras.layers import *
from keras.utils import np_utils
def read_data(path):
    data, target = [], []
    categories = os.listdir(path)
    label_dict = dict(zip(categories, range(len(categories))))
    for category in categories:
        folder = os.path.join(path, category)
        for name in os.listdir(folder):
            img = img_to_array(load_img(os.path.join(folder, name), target_size=(50, 50)))
            data.append(img)
            target.append(label_dict[category])
    return np.array(data) / 255.0, np_utils.to_categorical(np.array(target))
data, target = read_data('dataset')
model = Sequential()
model.add(Conv2D(32, (3, 3), activation='relu', input_shape=(50, 50, 3)))
model.add(Flatten())
model.add(Dense(2, activation='softmax'))
model.compile(loss='categorical_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(data, target, epochs=20, validation_split=0.2)
