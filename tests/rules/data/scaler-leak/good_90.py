import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder

table = pd.read_csv('birds.csv')
y = LabelEncoder().fit_transform(table['species'])
x_train, x_test, y_train, y_test = train_test_split(table.drop('species', axis=1), y)
