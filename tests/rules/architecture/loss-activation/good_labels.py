from keras.layers import Dense
from keras.models import Sequential
from sklearn.preprocessing import MultiLabelBinarizer

y = MultiLabelBinarizer().fit_transform(tags)
model = Sequential()
model.add(Dense(64, activation='relu', input_dim=300))
model.add(Dense(y.shape[1], activation='sigmoid'))
model.compile('adam', 'binary_crossentropy')
model.fit(x, y, epochs=20)
