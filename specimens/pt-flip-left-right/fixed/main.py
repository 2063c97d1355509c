import torch
from torch import nn

torch.set_num_threads(1)

ARROWS = {
    "left": ["..#..", ".#...", "#####", ".#...", "..#.."],
    "right": ["..#..", "...#.", "#####", "...#.", "..#.."],
    "ahead": ["..#..", ".###.", "#.#.#", "..#..", "..#.."],
}
GLYPHS = torch.tensor([[[float(c == "#") for c in row] for row in rows]
                       for rows in ARROWS.values()])


def photographs(seed, count, size=9):
    """Arrows somewhere in a noisy picture of 9x9 pixels."""
    generator = torch.Generator().manual_seed(seed)
    label = torch.randint(0, len(ARROWS), (count,), generator=generator)
    picture = 0.2 * torch.randn(count, 1, size, size, generator=generator)
    shift = torch.randint(0, size - 4, (count, 2), generator=generator).tolist()
    for i, (row, column) in enumerate(shift):
        picture[i, 0, row:row + 5, column:column + 5] += GLYPHS[label[i]]
    return picture, label


def augment(batch):
    """Vary the brightness and the point of view a little."""
    batch = batch * (0.8 + 0.4 * torch.rand(len(batch), 1, 1, 1))
    return batch


def train(seed, epochs=10, batch_size=30):
    torch.manual_seed(seed)
    picture, label = photographs(seed, 450)
    model = nn.Sequential(nn.Conv2d(1, 12, 5), nn.ReLU(), nn.MaxPool2d(5), nn.Flatten(),
                          nn.Linear(12, len(ARROWS)))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        for rows in torch.randperm(len(picture)).split(batch_size):
            loss = nn.functional.cross_entropy(model(augment(picture[rows])), label[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    new_picture, new_label = photographs(seed + 20, 300)
    with torch.no_grad():
        guess = model(new_picture).argmax(dim=1)
    for number, name in enumerate(ARROWS):
        right = (guess == number)[new_label == number].float().mean().item()
        print(f"{name:5s} recognised {right:.2f}")
    return (guess == new_label).float().mean().item()


if __name__ == "__main__":
    print(f"accuracy {train(seed=0):.3f}")
