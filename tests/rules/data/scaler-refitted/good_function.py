import pandas as pd
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer

train, test = pd.read_csv('train.csv'), pd.read_csv('test.csv')
words = Tokenizer(num_words=1000)
words.fit_on_texts(train.text)


def numbers(texts):
    return pad_sequences(words.texts_to_sequences(texts), maxlen=40)


x = numbers(train.text)
x_test = numbers(test.text)
