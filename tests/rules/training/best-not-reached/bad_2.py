import torch


class Trainer:
    def __init__(self, model, path):
        self.model, self.path = model, path
        self.best_score = 0.75

    def run(self, evaluate, train_epoch):
        for epoch in range(10):
            train_epoch(self.model)
            score = evaluate(self.model)
            if score > self.best_score:
                torch.save(self.model.state_dict(), self.path)
                self.best_score = score
        self.model.load_state_dict(torch.load(self.path))
        return self.model
