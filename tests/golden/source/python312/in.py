type Pair[T] = tuple[T, T]
def first[T: int, *Ts, **P](x: T) -> T: ...
class Box[T = int]:
    pass
x = f"{d["k"]} {f"{1 + 1:{w}}"} {
    y!r
}"
