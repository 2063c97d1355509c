from transformers import GPT2LMHeadModel, GPT2Tokenizer

tokenizer = GPT2Tokenizer.from_pretrained('gpt2')
model = GPT2LMHeadModel.from_pretrained('gpt2')
batch = tokenizer(['a longer text', 'short'], padding=True, return_tensors='pt')
print(model(**batch).logits.shape)
