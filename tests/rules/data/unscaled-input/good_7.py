import numpy as np
from keras.models import Sequential
from keras.layers import Dense
X = np.random.uniform(0, 1, size=(768, 8))
Y = np.random.randint(0, 2, 768)
model = Sequential()
model.add(Dense(12, input_dim=8, init='uniform', activation='relu'))
model.add(Dense(8, init='uniform', activation='relu'))
model.add(Dense(1, init='uniform', activation='sigmoid'))
model.compile(loss='binary_crossentropy', optimizer='adam', metrics=['accuracy'])
model.fit(X, Y, nb_epoch=150, batch_size=10)
