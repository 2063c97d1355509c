import numpy as np
import torch
from sklearn.linear_model import LogisticRegression
from transformers import AutoModel, AutoTokenizer


class SentenceFeatures:
    """Frozen encoder -> one vector per sentence."""

    def __init__(self, name="bert-base-uncased", batch_size=16):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.tokenizer = AutoTokenizer.from_pretrained(name)
        self.model = AutoModel.from_pretrained(name).to(self.device).eval()
        self.batch_size = batch_size

    @torch.no_grad()
    def encode(self, sentences):
        chunks = []
        for start in range(0, len(sentences), self.batch_size):
            part = sentences[start:start + self.batch_size]
            enc = self.tokenizer(part, padding=True, truncation=True, max_length=128, return_tensors="pt")
            enc = enc.to(self.device)
            hidden = self.model(**enc).last_hidden_state
            mask = enc["attention_mask"].unsqueeze(-1).float()
            chunks.append(((hidden * mask).sum(1) / mask.sum(1)).cpu().numpy())
        return np.concatenate(chunks)


def load_reviews(path):
    texts, labels = [], []
    with open(path, encoding="utf-8") as fh:
        for line in fh:
            label, text = line.rstrip("\n").split("\t", 1)
            texts.append(text)
            labels.append(int(label))
    return texts, np.array(labels)


def main():
    train_texts, y_train = load_reviews("reviews.train.tsv")
    test_texts, y_test = load_reviews("reviews.test.tsv")
    features = SentenceFeatures()
    x_train = features.encode(train_texts)
    x_test = features.encode(test_texts)
    clf = LogisticRegression(max_iter=1000, C=0.5)
    clf.fit(x_train, y_train)
    print("test accuracy", clf.score(x_test, y_test))


if __name__ == "__main__":
    main()
