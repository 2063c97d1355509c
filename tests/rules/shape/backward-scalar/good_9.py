import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=3)
batch = tokenizer(["one", "two"], padding=True, return_tensors="pt")
batch["labels"] = torch.tensor([0, 2])
model(**batch)[0].backward()  # the loss comes first when there are labels
