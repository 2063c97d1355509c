import numpy as np

TOPICS = 3
WORDS = 40


def documents(seed, count):
    """Word counts of long documents; each topic prefers some words."""
    rng = np.random.default_rng(seed)
    preference = np.random.default_rng(4).gamma(1.0, 1.0, (TOPICS, WORDS))
    topic = rng.integers(0, TOPICS, count)
    length = rng.integers(100, 3000, count)
    share = preference[topic] / preference[topic].sum(axis=1, keepdims=True)
    return rng.poisson(length[:, None] * share).astype(float), topic


def softmax(scores):
    exp = np.exp(scores)
    return exp / exp.sum(axis=1, keepdims=True)


def cross_entropy(p, topic):
    return float(-np.mean(np.log(np.maximum(p[np.arange(len(topic)), topic], 1e-12))))


def train(seed, steps=60, rate=0.05):
    rng = np.random.default_rng(seed)
    x, topic = documents(seed, 300)
    target = np.eye(TOPICS)[topic]
    weights = 0.01 * rng.normal(size=(WORDS, TOPICS))
    for step in range(steps):
        p = softmax(x @ weights)
        if step % 12 == 0:
            print(f"step {step:2d}  loss {cross_entropy(p, topic):.4f}")
        weights -= rate * x.T @ (p - target) / len(x)
    new_x, new_topic = documents(seed + 9, 200)
    p = softmax(new_x @ weights)
    return cross_entropy(p, new_topic), float(np.mean(p.argmax(axis=1) == new_topic))


if __name__ == "__main__":
    loss, accuracy = train(seed=0)
    print(f"new documents: loss {loss:.4f}  accuracy {accuracy:.3f}")
