import sys

import main

digits = main.main()
if digits != list(range(10)):
    print(f"FAIL: the ten displays are read as {digits}")
    sys.exit(1)
print("PASS: the loaded network reads all ten displays")
