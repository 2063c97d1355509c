import argparse

import pandas as pd
from datasets import Dataset
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    Trainer,
    TrainingArguments,
)


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--csv", default="tickets.csv", help="columns: text, queue (0..4)")
    p.add_argument("--model", default="bert-base-cased")
    p.add_argument("--out", default="ticket-router")
    return p.parse_args()


def build_dataset(path, tokenizer):
    frame = pd.read_csv(path)
    ds = Dataset.from_pandas(frame[["text", "queue"]], preserve_index=False)

    def encode(batch):
        enc = tokenizer(batch["text"], truncation=True, padding="max_length", max_length=96)
        enc["labels"] = batch["queue"]
        return enc

    ds = ds.map(encode, batched=True, remove_columns=["text", "queue"])
    return ds.train_test_split(test_size=0.1, seed=13)


def main():
    args = parse_args()
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    data = build_dataset(args.csv, tokenizer)
    model = AutoModelForSequenceClassification.from_pretrained(args.model, num_labels=5)
    training_args = TrainingArguments(
        output_dir=args.out,
        num_train_epochs=3,
        learning_rate=3e-5,
        per_device_train_batch_size=16,
        warmup_ratio=0.1,
        save_total_limit=1,
    )
    trainer = Trainer(
        model=model,
        args=training_args,
        train_dataset=data["train"],
        eval_dataset=data["test"],
    )
    trainer.train()
    trainer.save_model(args.out)
    tokenizer.save_pretrained(args.out)


if __name__ == "__main__":
    main()
