"""Runs the test of a bug, and says on standard output that it came to its end, and how."""


def run():
    import ctypes
    import os
    import sys
    # A program that the test starts is of the same user: without this it could look into the test
    # and write to what the test prints to, through /proc.
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
    test = sys.argv[1]
    word = os.environ.pop("LACEWING_END")
    out, me, here = os.dup(1), os.getpid(), os.path.abspath(test)

    def end(code):
        if os.getpid() != me:  # what the program forked is not the test
            return
        try:
            sys.stdout.flush()
        except Exception:
            pass
        os.write(out, ("\n%s %d\n" % (word, code)).encode())

    def by_program(at):
        """Was it raised in a file of the program, rather than in the test or a library?"""
        while at.tb_next:
            at = at.tb_next
        name = os.path.abspath(at.tb_frame.f_code.co_filename)
        return name != here and name.startswith(os.path.dirname(here) + os.sep)

    with open(test, "rb") as file:
        code = compile(file.read(), here, "exec")
    space = sys.modules["__main__"].__dict__
    for name in ("run", "__doc__"):
        space.pop(name)
    space.update(__file__=here, __doc__=None)
    sys.argv[:] = [test]
    sys.path[0] = os.path.dirname(here)
    try:
        exec(code, space)
    except SystemExit as e:
        number = 0 if e.code is None else e.code if isinstance(e.code, int) else 1
        if not by_program(e.__traceback__):
            end(number & 255)
        raise
    except BaseException as e:
        sys.excepthook(type(e), e, e.__traceback__.tb_next)
        end(1)
        sys.exit(1)
    end(0)


run()
