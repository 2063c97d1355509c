import glob
import numpy as np
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing import image

model, pictures = load_model('net.h5'), []
for path in glob.glob('*.jpg'):
    pictures.append(image.img_to_array(image.load_img(path, target_size=(64, 64))) / 255)
print(model.predict(np.stack(pictures)))
