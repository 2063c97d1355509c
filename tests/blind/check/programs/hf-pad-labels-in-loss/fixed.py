import torch
from torch.utils.data import DataLoader
from transformers import AutoTokenizer, T5ForConditionalGeneration

MODEL = "t5-small"
PAIRS = [
    ("simplify: The committee reached a unanimous decision.", "They all agreed."),
    ("simplify: He was in possession of a large automobile that was red.", "He had a big red car."),
    ("simplify: Precipitation is anticipated in the afternoon.", "It will rain later."),
    ("simplify: She commenced her employment in the month of May.", "She started work in May."),
]

tokenizer = AutoTokenizer.from_pretrained(MODEL)


def collate(batch):
    sources, targets = zip(*batch)
    enc = tokenizer(list(sources), padding=True, truncation=True, max_length=64, return_tensors="pt")
    dec = tokenizer(list(targets), padding=True, truncation=True, max_length=32, return_tensors="pt")
    enc["labels"] = dec["input_ids"].masked_fill(dec["attention_mask"] == 0, -100)
    return enc


def train(model, loader, device, epochs=3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for batch in loader:
            batch = batch.to(device)
            loss = model(**batch).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, total / len(loader))


@torch.no_grad()
def simplify(model, text, device):
    model.eval()
    enc = tokenizer("simplify: " + text, return_tensors="pt").to(device)
    out = model.generate(**enc, max_new_tokens=24)
    return tokenizer.decode(out[0], skip_special_tokens=True)


def main():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = T5ForConditionalGeneration.from_pretrained(MODEL).to(device)
    loader = DataLoader(PAIRS, batch_size=4, shuffle=True, collate_fn=collate)
    train(model, loader, device)
    print(simplify(model, "The individual departed in great haste.", device))


if __name__ == "__main__":
    main()
