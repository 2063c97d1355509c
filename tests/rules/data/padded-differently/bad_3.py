from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer

train, test = open('train.txt').readlines(), open('test.txt').readlines()
words = Tokenizer()
words.fit_on_texts(train)
x = pad_sequences(words.texts_to_sequences(train), 80)
x_test = pad_sequences(words.texts_to_sequences(test), 80, padding='post', truncating='post')
