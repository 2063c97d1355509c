import torch, torchvision
model = torchvision.models.resnet18()
feats = []
def hook(m, i, o):
    feats.append(o.detach())
def extract(img):
    model.layer4.register_forward_hook(hook)
    model(img)
    return feats[-1]
for i in range(100):
    f = extract(torch.randn(1, 3, 224, 224))
