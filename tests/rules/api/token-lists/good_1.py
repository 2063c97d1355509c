from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')
model = AutoModel.from_pretrained('bert-base-uncased')
batch = tokenizer(['one text', 'another'], padding=True, return_tensors='pt')
print(model(**batch).last_hidden_state)
