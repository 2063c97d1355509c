import transformers

args = transformers.TrainingArguments(
    output_dir='out',
    evaluation_strategy='steps',
    eval_steps=500,
    save_strategy='epoch',
    load_best_model_at_end=True,
)
