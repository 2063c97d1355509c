from keras.layers import Activation, Embedding, GlobalAveragePooling1D
from keras.models import Sequential

model = Sequential()
model.add(Embedding(8000, 4, input_length=40))
model.add(GlobalAveragePooling1D())
model.add(Activation("softmax"))
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
