from keras.layers import Dense
from keras.models import Sequential
from sklearn.model_selection import KFold

model = Sequential([Dense(32, activation='relu', input_dim=10), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy', metrics=['accuracy'])
first = model.get_weights()
for train, test in KFold(5).split(x):
    model.set_weights(first)
    model.fit(x[train], y[train], epochs=50)
    print(model.evaluate(x[test], y[test]))
