import torch
from torch.utils.data import DataLoader
from transformers import BertForSequenceClassification, BertTokenizerFast

MARKERS = ["[E1]", "[/E1]", "[E2]", "[/E2]"]
RELATIONS = ["founded", "born_in", "none"]


def mark(sentence, first, second):
    sentence = sentence.replace(first, f"[E1] {first} [/E1]")
    return sentence.replace(second, f"[E2] {second} [/E2]")


EXAMPLES = [
    (mark("Ada started Numerix in 1990.", "Ada", "Numerix"), 0),
    (mark("Otto comes from Graz.", "Otto", "Graz"), 1),
    (mark("Mia met Ben yesterday.", "Mia", "Ben"), 2),
] * 12


def load(name="bert-base-uncased"):
    tokenizer = BertTokenizerFast.from_pretrained(name)
    tokenizer.add_special_tokens({"additional_special_tokens": MARKERS})
    model = BertForSequenceClassification.from_pretrained(name, num_labels=len(RELATIONS))
    model.resize_token_embeddings(len(tokenizer))
    return tokenizer, model


def make_collate(tokenizer):
    def collate(batch):
        texts, labels = zip(*batch)
        enc = tokenizer(list(texts), padding=True, truncation=True, max_length=64, return_tensors="pt")
        enc["labels"] = torch.tensor(labels)
        return enc

    return collate


def main(epochs=3):
    tokenizer, model = load()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    loader = DataLoader(EXAMPLES, batch_size=6, shuffle=True, collate_fn=make_collate(tokenizer))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
    for epoch in range(epochs):
        model.train()
        for batch in loader:
            loss = model(**batch.to(device)).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", loss.item())


if __name__ == "__main__":
    main()
