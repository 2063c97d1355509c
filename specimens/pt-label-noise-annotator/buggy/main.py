import torch
from torch import nn

torch.set_num_threads(1)

CLASSES = ("dry", "healing", "infected")


def wounds(seed, count):
    """Features of pictures and the true class."""
    generator = torch.Generator().manual_seed(seed)
    typical = torch.randn(3, 16, generator=torch.Generator().manual_seed(31))
    truth = torch.randint(0, 3, (count,), generator=generator)
    return typical[truth] + 0.8 * torch.randn(count, 16, generator=generator), truth


def annotate(truth, seed):
    """Who labelled a row, and the label given; annotator 2 mixes up two classes."""
    generator = torch.Generator().manual_seed(seed + 1)
    who = torch.randint(0, 5, (len(truth),), generator=generator).clamp(max=2)
    swapped = torch.tensor([0, 2, 1])[truth]
    return who, torch.where(who == 2, swapped, truth)


def trusted_rows(who, given, truth, checked):
    """Rows to train on."""
    return torch.arange(len(given))


def run(seed, epochs=6, checked=60):
    torch.manual_seed(seed)
    x, truth = wounds(seed, 900)
    who, given = annotate(truth, seed)
    rows = trusted_rows(who, given, truth, checked)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, len(CLASSES)))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for epoch in range(epochs):
        for part in rows[torch.randperm(len(rows))].split(30):
            loss = nn.functional.cross_entropy(model(x[part]), given[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}  loss {loss.item():.3f}")
    new_x, new_truth = wounds(seed + 200, 400)
    with torch.no_grad():
        guess = model(new_x).argmax(dim=1)
    for number, name in enumerate(CLASSES):
        recall = (guess == number)[new_truth == number].float().mean().item()
        print(f"{name:8s} found {recall:.2f}")
    return (guess == new_truth).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {run(seed=0):.3f}")
