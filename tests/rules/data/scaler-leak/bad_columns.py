import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

table = pd.read_csv("sales.csv")
scaled = MinMaxScaler().fit_transform(table.drop("day", axis=1))
x, y = scaled[:, :-1], scaled[:, -1]
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
