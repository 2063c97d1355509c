from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

texts, new_texts = ['good film', 'bad film'], ['a good one']
words = Tokenizer(num_words=100)
words.fit_on_texts(texts)
rows = pad_sequences(words.texts_to_sequences(texts), maxlen=20, padding='post')
new_rows = pad_sequences(words.texts_to_sequences(new_texts), maxlen=20, padding='post')
