import torch.nn as nn


class Words(nn.Module):
    def __init__(self, tokens, width=200, hidden=200, layers=2):
        super().__init__()
        self.drop = nn.Dropout(0.5)
        self.encoder = nn.Embedding(tokens, width)
        self.rnn = nn.LSTM(width, hidden, layers, dropout=0.5)
        self.decoder = nn.Linear(hidden, tokens)

    def forward(self, tokens, hidden):
        emb = self.drop(self.encoder(tokens))
        output, hidden = self.rnn(emb, hidden)
        return self.decoder(self.drop(output)), hidden

    def begin(self, batch):
        weight = next(self.parameters())
        return (weight.new_zeros(2, batch, 200), weight.new_zeros(2, batch, 200))
