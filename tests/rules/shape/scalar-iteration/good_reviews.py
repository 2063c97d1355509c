from keras.datasets import imdb

(train_data, train_labels), (test_data, test_labels) = imdb.load_data(num_words=10000)
words = {i: word for word, i in imdb.get_word_index().items()}
print(" ".join(words.get(i - 3, "?") for i in train_data[0]))
print(train_data[0][:10], len(test_data[3]))
backwards = [x[::-1] for x in train_data]
