import numpy as np
from keras.layers import Dense
from keras.models import Sequential

x = np.random.randn(1000, 10) * 500
y = (x.sum(axis=1) > 0).astype(int)
model = Sequential([Dense(64, activation='relu', input_shape=(10,)), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
model.fit(x, y, epochs=30)
