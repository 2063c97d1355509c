import pandas as pd
from keras.preprocessing.text import Tokenizer
from tensorflow.keras.preprocessing.sequence import pad_sequences
from sklearn.model_selection import train_test_split

df = pd.read_csv("mails.csv")
texts = df["text"].values
reviews = list(texts)
tokenizer = Tokenizer(num_words=5000)
tokenizer.fit_on_texts(reviews)
x = pad_sequences(tokenizer.texts_to_sequences(reviews), maxlen=100)
x_train, x_test, y_train, y_test = train_test_split(x, df["label"].values, test_size=0.2)
