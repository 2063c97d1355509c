import pandas as pd
from sklearn.model_selection import train_test_split

table = pd.read_csv('rows.csv')
y = table.pop('y').values
table = (table - table.mean()) / table.std()
x_train, x_test, y_train, y_test = train_test_split(table.values, y)
