from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

wine = load_wine()
scaler = MinMaxScaler()
x_train, x_test, y_train, y_test = train_test_split(wine.data, wine.target, test_size=0.3)
x_train = scaler.fit_transform(x_train)
x_test = scaler.transform(x_test)
