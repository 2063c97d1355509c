from keras.models import load_model

model = load_model("cats.h5")
answers = []
for i in range(len(pictures)):
    answers.append(model.predict(pictures[i:i + 1]))
