import torch
from torch import nn

torch.set_num_threads(1)

CITIES = 10


def positions(seed, count):
    """Noisy positions of phones; the label is the number of the nearest city."""
    map_generator = torch.Generator().manual_seed(8)
    city = torch.stack([torch.arange(CITIES) % 4, torch.arange(CITIES) // 4], dim=1).float()
    city = city[torch.randperm(CITIES, generator=map_generator)]
    generator = torch.Generator().manual_seed(seed)
    number = torch.randint(0, CITIES, (count,), generator=generator)
    return city[number] - 1.2 + 0.15 * torch.randn(count, 2, generator=generator), number


def build():
    return nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(),
                         nn.Linear(48, CITIES))


def loss_of(output, number):
    return nn.functional.cross_entropy(output, number)


def decide(output):
    return output.argmax(dim=1)


def train(seed, epochs=12, batch_size=50):
    torch.manual_seed(seed)
    x, number = positions(seed, 1000)
    model = build()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(batch_size):
            loss = loss_of(model(x[rows]), number[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d}  loss {loss.item():.3f}")
    new_x, new_number = positions(seed + 70, 400)
    with torch.no_grad():
        return (decide(model(new_x)) == new_number).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
