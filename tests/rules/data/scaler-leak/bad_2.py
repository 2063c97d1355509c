from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import MinMaxScaler

wine = load_wine()
scaler = MinMaxScaler()
scaled = scaler.fit_transform(wine.data)
x_train, x_test, y_train, y_test = train_test_split(scaled, wine.target, test_size=0.3)
