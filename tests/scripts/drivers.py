"""How property tests talk to the programs of tests/drivers: a line is a case."""
import os
import subprocess

from tap import BUILD


def hexed(data):
    return "x" + data.hex()


def unhexed(text):
    assert text.startswith("x"), text
    return bytes.fromhex(text[1:])


def ask(name, lines):
    """The answers of driver `name`, one for each line."""
    done = subprocess.run([os.path.join(BUILD, "tests", "drivers", "driver_" + name)],
                          input="".join(line + "\n" for line in lines).encode(),
                          capture_output=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr.decode(errors="replace"))
    answers = done.stdout.decode("utf-8").split("\n")[:-1]
    assert len(answers) == len(lines), (len(answers), len(lines))
    return answers
