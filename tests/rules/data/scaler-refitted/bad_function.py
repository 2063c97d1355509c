import pandas as pd
from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer


def numbers(texts):
    words = Tokenizer(num_words=1000)
    words.fit_on_texts(texts)
    return pad_sequences(words.texts_to_sequences(texts), maxlen=40)


train, test = pd.read_csv('train.csv'), pd.read_csv('test.csv')
x = numbers(train.text)
x_test = numbers(test.text)
