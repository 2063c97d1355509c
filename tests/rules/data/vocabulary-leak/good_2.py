import pandas as pd
from keras.preprocessing.text import Tokenizer
from tensorflow.keras.preprocessing.sequence import pad_sequences
from sklearn.model_selection import train_test_split

df = pd.read_csv("mails.csv")
texts = df["text"].values
reviews = list(texts)
train_texts, test_texts, y_train, y_test = train_test_split(reviews, df["label"].values, test_size=0.2)
tokenizer = Tokenizer(num_words=5000)
tokenizer.fit_on_texts(train_texts)
x_train = pad_sequences(tokenizer.texts_to_sequences(train_texts), maxlen=100)
