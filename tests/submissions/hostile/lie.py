# Everything that is said for the grader's ears, by those who answer for the student's process:
# `say(reply)` sends the bytes of reply(self, request) instead, and `honest` returns the right ones.
runner, wire = (sys.modules["autograder.sandbox." + name] for name in ("guest.runner", "wire"))
class Bytes(bytes):
    def pieces(self): return [self]
def honest(self, request, answer=runner.Runner.answer): return answer(self, request).whole()
def say(reply): runner.Runner.answer = lambda self, request: Bytes(reply(self, request))
def answers(reply):
    def lie(self, request):
        if request["op"] in ("call", "forward"):
            return wire.pack({"number": request["number"], "output": "", "changed": False} | reply)
        return honest(self, request)
    say(lie)
