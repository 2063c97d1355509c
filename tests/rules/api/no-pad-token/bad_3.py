from transformers import GPT2TokenizerFast

tokenizer = GPT2TokenizerFast.from_pretrained('gpt2-medium')
batch = tokenizer.batch_encode_plus(['a', 'b c'], padding='longest', return_tensors='pt')
