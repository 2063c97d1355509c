class A(A): pass
class B(B, A): pass
class A(B): pass
A().x
A.mro
super(A, A()).x
