from sklearn.metrics import confusion_matrix
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing.image import ImageDataGenerator

flow = ImageDataGenerator(rescale=1 / 255).flow_from_directory('test', target_size=(64, 64), shuffle=False)
model = load_model('net.h5')
print(confusion_matrix(flow.classes, model.predict(flow).argmax(axis=1)))
