import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

rows = pd.read_csv("churn.csv")
features = rows.iloc[:, 3:13].values
labels = rows.iloc[:, 13].values
x_train, x_test, y_train, y_test = train_test_split(features, labels, test_size=0.2)
model = LogisticRegression()
model.fit(x_train, y_train)
print(model.score(x_test, y_test))
