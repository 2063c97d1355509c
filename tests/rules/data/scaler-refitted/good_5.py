from sklearn.preprocessing import MinMaxScaler

inputs = MinMaxScaler()
X_train = inputs.fit_transform(X_train)
X_test = inputs.transform(X_test)
targets = MinMaxScaler()
y_train = targets.fit_transform(y_train)
y_test = targets.transform(y_test)
