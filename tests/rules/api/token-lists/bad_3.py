import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained('roberta-base')
model = AutoModelForTokenClassification.from_pretrained('roberta-base', num_labels=9)
with torch.no_grad():
    tags = model(**tokenizer('a sentence', truncation=True)).logits.argmax(-1)
