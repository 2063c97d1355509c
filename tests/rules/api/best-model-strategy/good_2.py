from transformers import TrainingArguments

args = TrainingArguments(output_dir='out', evaluation_strategy='steps', eval_steps=100, save_steps=100, load_best_model_at_end=True)
