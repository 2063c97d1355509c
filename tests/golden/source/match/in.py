match command.split():
    case ["go", direction] | ["walk", direction] if ok:
        pass
    case {"k": 1, **rest}:
        pass
    case Point(x=0, y=-1.5) as p:
        pass
    case (a, *_), None, "s" "t":
        pass
match = 1
match(x)
match[x]: int = 2
print(match, case, type)
