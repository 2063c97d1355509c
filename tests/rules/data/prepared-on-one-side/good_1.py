import re

from keras.preprocessing.text import Tokenizer


def clean(text):
    return re.sub(r"[^a-z ]", "", text.lower())


with open("reviews.txt") as f:
    reviews = [clean(line) for line in f]
tokenizer = Tokenizer(num_words=5000)
tokenizer.fit_on_texts(reviews)
x = tokenizer.texts_to_sequences(reviews)
asked = clean(input("your review: "))
print(tokenizer.texts_to_sequences([asked]))
