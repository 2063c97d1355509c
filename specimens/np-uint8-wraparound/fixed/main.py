import numpy as np

SIZE = 16


def record(count, rng):
    """Camera frames (uint8) of a dim scene; a small object is left or right of the middle."""
    scene = rng.integers(90, 110, (SIZE, SIZE), dtype=np.uint8)
    noise = rng.integers(-4, 5, (count, SIZE, SIZE))
    frames = (scene + noise).astype(np.uint8)
    side = rng.integers(0, 2, count)
    rows = rng.integers(0, SIZE - 3, count)
    columns = rng.integers(0, SIZE // 2 - 3, count) + side * SIZE // 2
    for i in range(count):
        frames[i, rows[i]:rows[i] + 3, columns[i]:columns[i] + 3] += 40
    return frames, scene, side


def features(frames, background):
    """How much each pixel differs from the empty scene, scaled to 0..1."""
    difference = np.abs(frames.astype(np.int16) - background)
    return difference.reshape(len(frames), -1) / 255.0


def train(seed, epochs=400, rate=2.0):
    rng = np.random.default_rng(seed)
    frames, background, side = record(600, rng)
    x = features(frames, background)
    fit, held = slice(0, 400), slice(400, 600)
    w, b = np.zeros(x.shape[1]), 0.0
    for _ in range(epochs):
        p = 1.0 / (1.0 + np.exp(-(x[fit] @ w + b)))
        error = (p - side[fit]) / 400
        w -= rate * (x[fit].T @ error)
        b -= rate * error.sum()
    return float(np.mean((x[held] @ w + b > 0) == side[held]))


if __name__ == "__main__":
    print(f"held-out accuracy {train(seed=0):.3f}")
