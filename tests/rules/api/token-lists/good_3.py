from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')
model = AutoModel.from_pretrained('bert-base-uncased')
options = {'padding': True, 'return_tensors': 'pt'}
print(model(**tokenizer(['one', 'two'], **options))[0].shape)
