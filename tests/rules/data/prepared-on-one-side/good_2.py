import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer


def normalise(text):
    return text.lower().strip()


def read(path):
    table = pd.read_csv(path)
    table["text"] = table["text"].apply(normalise)
    return table


table = read("mails.csv")
vectorizer = TfidfVectorizer(lowercase=False)
x = vectorizer.fit_transform(table["text"])
news = read("today.csv")
print(vectorizer.transform(news["text"]))
