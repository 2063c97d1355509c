import torch
from torch import nn

torch.set_num_threads(1)


class Controller(nn.Module):
    """Keeps the hidden state between calls, one per robot."""

    def __init__(self, sensors=8, motors=3, hidden=40, layers=2):
        super().__init__()
        self.lstm = nn.LSTM(sensors, hidden, layers)
        self.out = nn.Linear(hidden, motors)
        self.state = None

    def init_hidden(self, robots):
        layers, hidden = self.lstm.num_layers, self.lstm.hidden_size
        zeros = torch.zeros(layers, robots, hidden)
        return zeros, zeros.clone()

    def act(self, reading):
        """Motor commands (robots, motors) for one reading (robots, sensors)."""
        if self.state is None:
            self.state = self.init_hidden(reading.shape[0])
        features, self.state = self.lstm(reading.unsqueeze(0), self.state)
        return torch.tanh(self.out(features[0]))


def simulate(device, robots=5, ticks=4):
    """Runs the controller for a few ticks and returns the commands of each."""
    controller = Controller().to(device)
    reading = torch.ones(robots, 8, device=device)
    commands = []
    for _ in range(ticks):
        command = controller.act(reading)
        reading = reading + nn.functional.pad(command, (0, 5))
        commands.append(command)
    return torch.stack(commands)


if __name__ == "__main__":
    torch.manual_seed(0)
    for name in ("cpu", "cuda" if torch.cuda.is_available() else "meta"):
        print(name, tuple(simulate(torch.device(name)).shape))
