from keras.models import Sequential
from keras.layers import Dense, Activation

model = Sequential([Dense(64, input_dim=30, activation='relu'), Dense(4, activation='softmax')])
model.compile('adam', 'categorical_crossentropy')
