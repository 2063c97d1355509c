import torch

torch.set_num_threads(1)


def make_track(count, seed):
    """Heights of a ski jump at given places, measured with some error."""
    generator = torch.Generator().manual_seed(seed)
    place = torch.linspace(0, 1, count)
    height = 3.0 - 4.0 * place + 1.5 * place ** 2
    return place, height + 0.02 * torch.randn(count, generator=generator)


class Polynomial:
    def __init__(self, degree):
        self.coefficients = torch.zeros(degree + 1, requires_grad=True)

    def __call__(self, x):
        powers = torch.stack([x ** k for k in range(len(self.coefficients))], dim=1)
        return powers @ self.coefficients


def descend(parameters, rate):
    """One step of gradient descent; gradients are set back to zero."""
    for parameter in parameters:
        with torch.no_grad():
            parameter -= rate * parameter.grad
        parameter.grad.zero_()


def fit(seed, steps=3000, rate=0.3):
    place, height = make_track(60, seed)
    model = Polynomial(2)
    losses = []
    for _ in range(steps):
        loss = (model(place) - height).pow(2).mean()
        loss.backward()
        descend([model.coefficients], rate)
        losses.append(loss.item())
    return model, losses


if __name__ == "__main__":
    curve, history = fit(seed=0)
    print("coefficients", curve.coefficients.tolist(), "loss", history[-1])
