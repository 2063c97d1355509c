from tensorflow.keras import Model
from tensorflow.keras.datasets import imdb
from tensorflow.keras.layers import Dense, Embedding, Input
from tensorflow.keras.preprocessing import sequence

from tcn import TCN

(x_train, y_train), (x_test, y_test) = imdb.load_data(num_words=20000)
x_train = sequence.pad_sequences(x_train, maxlen=100)
i = Input(shape=(100,))
x = Embedding(20000, 128)(i)
x = TCN(nb_filters=64)(x)
x = Dense(1, activation="sigmoid")(x)
model = Model(inputs=[i], outputs=[x])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=32, epochs=2)
