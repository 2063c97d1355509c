from transformers import AutoTokenizer

words = AutoTokenizer.from_pretrained('bert-base-uncased')
print(words(['one', 'two'], padding=True))
single = AutoTokenizer.from_pretrained('gpt2')
print(single('one text needs none', return_tensors='pt'))
