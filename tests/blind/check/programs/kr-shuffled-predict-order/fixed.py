import argparse

import numpy as np
from sklearn.metrics import classification_report, confusion_matrix
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing.image import ImageDataGenerator


def make_generators(root, side, batch):
    train_gen = ImageDataGenerator(rescale=1 / 255, rotation_range=15, horizontal_flip=True)
    test_gen = ImageDataGenerator(rescale=1 / 255)
    train = train_gen.flow_from_directory(
        f"{root}/train", target_size=(side, side), batch_size=batch, class_mode="categorical"
    )
    test = test_gen.flow_from_directory(
        f"{root}/test",
        target_size=(side, side),
        batch_size=batch,
        class_mode="categorical",
        shuffle=False,
    )
    return train, test


def report(model, test):
    probabilities = model.predict(test, verbose=1)
    predicted = np.argmax(probabilities, axis=1)
    names = list(test.class_indices)
    print(confusion_matrix(test.classes, predicted))
    print(classification_report(test.classes, predicted, target_names=names))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="xrays")
    parser.add_argument("--model", default="xray_cnn.h5")
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    model = load_model(args.model)
    train, test = make_generators(args.data, side=150, batch=32)
    model.fit(train, epochs=args.epochs)
    report(model, test)


if __name__ == "__main__":
    main()
