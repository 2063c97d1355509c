import pandas as pd
from keras.layers import Dense
from keras.models import Sequential
from keras.utils import to_categorical
from sklearn.preprocessing import LabelEncoder

rows = pd.read_csv("flowers.csv")
x = rows.iloc[:, :4].values
species = LabelEncoder().fit_transform(rows["species"])
model = Sequential([Dense(8, activation="relu", input_dim=4), Dense(species.max() + 1, activation="softmax")])
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit(x, species, epochs=100, batch_size=5)
