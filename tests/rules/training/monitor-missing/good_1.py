import numpy as np
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Dense
from tensorflow.keras.callbacks import ModelCheckpoint
x = np.random.rand(1000, 20)
y = (x[:, 0] > 0.5).astype(int)
model = Sequential([Dense(16, activation='relu', input_dim=20), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
model.fit(x, y, epochs=30, validation_split=0.2, callbacks=[ModelCheckpoint('m.h5', monitor='val_accuracy', save_best_only=True)])
