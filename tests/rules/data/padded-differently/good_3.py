from keras.preprocessing.sequence import pad_sequences
from keras.preprocessing.text import Tokenizer

asked, answered = open('asked.txt').readlines(), open('answered.txt').readlines()
words, answers = Tokenizer(), Tokenizer()
words.fit_on_texts(asked)
answers.fit_on_texts(answered)
x = pad_sequences(words.texts_to_sequences(asked), 80, padding='pre')
y = pad_sequences(answers.texts_to_sequences(answered), 80, padding='post')
