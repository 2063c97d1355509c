import torch
from torch import nn

torch.set_num_threads(1)


def recordings(seed, speakers=20, takes=6):
    """Features of several takes of each speaker, shape (speakers, takes, 16)."""
    generator = torch.Generator().manual_seed(seed)
    voice = torch.randn(speakers, 1, 16, generator=generator)
    return voice + 0.4 * torch.randn(speakers, takes, 16, generator=generator)


def angle(a, b):
    cosine = nn.functional.cosine_similarity(a, b, dim=1)
    return torch.acos(cosine)


def draw_pairs(features, count, generator):
    """Two takes of one speaker and one take of another."""
    speakers, takes, _ = features.shape
    same = torch.randint(0, speakers, (count,), generator=generator)
    shift = torch.randint(1, speakers, (count,), generator=generator)
    take = torch.randint(0, takes, (3, count), generator=generator)
    return (features[same, take[0]], features[same, take[1]],
            features[(same + shift) % speakers, take[2]])


def train(seed, steps=150, margin=1.0):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    features = recordings(seed)
    model = nn.Sequential(nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 8))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    for step in range(steps):
        anchor, positive, negative = (model(x) for x in draw_pairs(features, 48, generator))
        near, far = angle(anchor, positive), angle(anchor, negative)
        loss = (near + (margin - far).clamp(min=0)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 30 == 0:
            print(f"step {step:3d}  loss {loss.item():.4f}  same {near.mean().item():.3f}")
    return near.mean().item()


if __name__ == "__main__":
    train(seed=0)
