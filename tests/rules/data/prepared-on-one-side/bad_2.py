import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression


def normalise(text):
    text = text.lower().strip()
    return text.replace("!", "")


table = pd.read_csv("mails.csv")
texts = table["text"].apply(normalise)
vectorizer = TfidfVectorizer(lowercase=False)
x = vectorizer.fit_transform(texts)
judge = LogisticRegression().fit(x, table["spam"])
news = pd.read_csv("today.csv")
print(judge.predict(vectorizer.transform(news["text"])))
