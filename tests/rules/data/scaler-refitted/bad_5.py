from sklearn.preprocessing import MinMaxScaler

scale = MinMaxScaler()
X_train = scale.fit_transform(X_train)
other = MinMaxScaler()
X_test = other.fit_transform(X_test)
