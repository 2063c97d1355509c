import pandas as pd
from sklearn.feature_selection import SelectKBest
from sklearn.model_selection import train_test_split

table = pd.read_csv('rows.csv')
x_train, x_test, y_train, y_test = train_test_split(table.drop(columns='y'), table['y'])
select = SelectKBest(k=5)
x_train = select.fit_transform(x_train, y_train)
x_test = select.transform(x_test)
