from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer


def numbers(tokenizer, train, test):
    first = tokenizer.texts_to_sequences(train)
    second = tokenizer.texts_to_sequences(test)
    first = pad_sequences(first, maxlen=50, padding='pre')
    return first, pad_sequences(second, maxlen=50, padding='post')
