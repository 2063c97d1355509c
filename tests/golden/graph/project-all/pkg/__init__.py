from .a import run
