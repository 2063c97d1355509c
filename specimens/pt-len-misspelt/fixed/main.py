import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

SONG = "abcabdabcabdaabb" * 12


class Windows(Dataset):
    """Windows of a melody and the note that follows."""

    def __init__(self, text, width=4):
        self.notes = torch.tensor([ord(c) - ord("a") for c in text])
        self.width = width

    def __len__(self):
        return len(self.notes) - self.width

    def __getitem__(self, index):
        window = self.notes[index:index + self.width]
        return window, self.notes[index + self.width]


class NextNote(nn.Module):
    def __init__(self, notes=4, width=4, dimension=8):
        super().__init__()
        self.embed = nn.Embedding(notes, dimension)
        self.out = nn.Sequential(nn.Flatten(), nn.Linear(width * dimension, 32), nn.ReLU(),
                                 nn.Linear(32, notes))

    def forward(self, windows):
        return self.out(self.embed(windows))


def train(seed, epochs=10):
    torch.manual_seed(seed)
    loader = DataLoader(Windows(SONG), batch_size=16, shuffle=True)
    model = NextNote()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(epochs):
        for windows, following in loader:
            loss = nn.functional.cross_entropy(model(windows), following)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


if __name__ == "__main__":
    print(train(seed=0)(torch.tensor([[0, 1, 2, 0]])).argmax(dim=1))
