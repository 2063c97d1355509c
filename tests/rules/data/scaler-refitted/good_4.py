from keras.layers import Dense, Embedding, LSTM
from keras.models import Sequential
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer

words = Tokenizer(num_words=5000)
words.fit_on_texts(train_texts)


def numbers(texts):
    return pad_sequences(words.texts_to_sequences(texts), maxlen=100)


x_train = numbers(train_texts)
x_test = numbers(test_texts)
model = Sequential([Embedding(5000, 32, input_length=100), LSTM(32), Dense(1, activation="sigmoid")])
model.compile("adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, epochs=5)
model.evaluate(x_test, y_test)
