import pandas as pd
from sklearn.model_selection import train_test_split

table = pd.read_csv('rows.csv')
y = table.pop('y').values
x_train, x_test, y_train, y_test = train_test_split(table, y)
mean, spread = x_train.mean(), x_train.std()
x_train, x_test = (x_train - mean) / spread, (x_test - mean) / spread
