import cv2
import numpy as np
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing.image import ImageDataGenerator

flow = ImageDataGenerator(rescale=1 / 255).flow_from_directory('pictures', target_size=(64, 64))
model = load_model('net.h5')
model.fit(flow, epochs=3)
picture = cv2.resize(cv2.imread('new.png')[..., ::-1], (64, 64)) / 255
print(model.predict(np.expand_dims(picture, 0)))
