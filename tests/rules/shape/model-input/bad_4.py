from keras.layers import Dense
from keras.models import Sequential
from keras.wrappers.scikit_learn import KerasClassifier
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, cross_val_score

flowers = load_iris()


def build(width=8):
    model = Sequential()
    model.add(Dense(width, input_dim=5, activation="relu"))
    model.add(Dense(3, activation="softmax"))
    model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    return model


estimator = KerasClassifier(build_fn=build, epochs=200, batch_size=5)
print(cross_val_score(estimator, flowers.data, flowers.target, cv=KFold(10, shuffle=True)))
