import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import train_test_split

mails = pd.read_csv('mails.csv')
words = TfidfVectorizer(max_features=500)
x = words.fit_transform(mails['text']).toarray()
x_train, x_test, y_train, y_test = train_test_split(x, mails['spam'])
