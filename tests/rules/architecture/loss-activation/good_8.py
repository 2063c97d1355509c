from keras.layers import Input, Dense
from keras.models import Model
import numpy as np
x = np.random.rand(100, 20)
y = np.random.randint(0, 2, (100, 5))
inp = Input(shape=(20,))
h = Dense(32, activation='relu')(inp)
out = Dense(5, activation='sigmoid')(h)
model = Model(inputs=inp, outputs=out)
model.compile(optimizer='adam', loss='binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=10)
