import cv2
import torch
from torchvision import models, transforms

net = models.resnet18(pretrained=True).eval()
prepare = transforms.Compose([transforms.ToTensor(), transforms.Resize((224, 224)),
                              transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])
picture = cv2.cvtColor(cv2.imread('dog.jpg'), cv2.COLOR_BGR2RGB)
with torch.no_grad():
    print(net(prepare(picture).unsqueeze(0)).argmax(1))
