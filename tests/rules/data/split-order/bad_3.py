import pandas as pd
from sklearn.model_selection import train_test_split

rows = pd.read_csv("trips.csv")
test_rows, train_rows = train_test_split(rows, test_size=0.1)
print(len(train_rows), len(test_rows))
