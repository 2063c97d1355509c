import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def build_model():
    return nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(),
                         nn.Linear(24, 3))


def make_batch(count, generator):
    x = torch.randn(count, 6, generator=generator)
    return x, x[:, :3].argmax(dim=1)


class Watch:
    """Collects the mean activation of each hidden layer."""

    def __init__(self):
        self.values = {}

    def note(self, name, value):
        self.values.setdefault(name, []).append(value)

    def attach(self, model):
        handles = []
        for name, layer in model.named_modules():
            if isinstance(layer, nn.ReLU):
                def hook(module, inputs, output, name=name):
                    self.note(name, output.mean().item())
                handles.append(layer.register_forward_hook(hook))
        return handles


def evaluate(model, data, watch_class=Watch):
    """Accuracy and mean activation of each hidden layer on the data."""
    watch = watch_class()
    watch.attach(model)
    with torch.no_grad():
        accuracy = (model(data[0]).argmax(dim=1) == data[1]).float().mean().item()
    return accuracy, {name: sum(v) / len(v) for name, v in watch.values.items()}


def train(seed, epochs=12, steps=10, watch_class=Watch):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model, held_out = build_model(), make_batch(200, generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    history = []
    for _ in range(epochs):
        for _ in range(steps):
            x, y = make_batch(32, generator)
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        history.append(evaluate(model, held_out, watch_class))
    return history


if __name__ == "__main__":
    for number, (right, means) in enumerate(train(seed=0)):
        print(f"epoch {number} accuracy {right:.3f} activations {means}")
