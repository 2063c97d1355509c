import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split

table = pd.read_csv('rows.csv')
x, y = table.drop(columns='y'), table['y']
best = SelectKBest(k=5).fit_transform(x, y)
x_train, x_test, y_train, y_test = train_test_split(best, y)
