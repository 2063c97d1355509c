from keras.models import load_model
from keras.preprocessing.image import ImageDataGenerator
from sklearn.metrics import confusion_matrix

pictures = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("test", target_size=(64, 64))
model = load_model("best.h5")
answers = model.predict(pictures).argmax(axis=1)
print(confusion_matrix(pictures.classes, answers))
