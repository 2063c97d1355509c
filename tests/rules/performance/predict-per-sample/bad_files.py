import glob
import numpy as np
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing import image

model = load_model('net.h5')
for path in glob.glob('*.jpg'):
    picture = image.img_to_array(image.load_img(path, target_size=(64, 64))) / 255
    picture = np.expand_dims(picture, axis=0)
    print(path, model.predict(picture)[0])
