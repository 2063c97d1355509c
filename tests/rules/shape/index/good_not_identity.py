import torch

identity = torch.eye(4)


def transform(images, flip):
    c = identity
    if flip > 0:
        c = torch.randn(8, 4, 4)
    if c is not identity:
        images = c[:, :3, :3] @ images + c[:, :3, 3:]
    return images


def narrow(main, other):
    if not main.shape.is_compatible_with(other.shape):
        print(main.shape[0] == other.shape[0])


print(transform(torch.randn(8, 3, 64), torch.rand(1).item()))
