import pandas as pd
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

table = pd.read_csv("sales.csv").drop("day", axis=1).values
x_train, x_test, y_train, y_test = train_test_split(table[:, :-1], table[:, -1], test_size=0.2)
scaler = MinMaxScaler()
x_train = scaler.fit_transform(x_train)
x_test = scaler.transform(x_test)
