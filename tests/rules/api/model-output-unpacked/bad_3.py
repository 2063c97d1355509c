import torch
from transformers import DistilBertModel, DistilBertTokenizer

tokenizer = DistilBertTokenizer.from_pretrained('distilbert-base-uncased')
encoder = DistilBertModel.from_pretrained('distilbert-base-uncased')
batch = tokenizer(['one', 'two words'], padding=True, return_tensors='pt')
with torch.no_grad():
    (states,) = encoder(**batch)
print(states.mean(1))
