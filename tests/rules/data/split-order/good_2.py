import numpy as np
import sklearn.model_selection as ms
from sklearn.ensemble import RandomForestClassifier

features, labels = np.load("features.npy"), np.load("labels.npy")
train_features, test_features, train_labels, test_labels = ms.train_test_split(features, labels)
forest = RandomForestClassifier()
forest.fit(train_features, train_labels)
