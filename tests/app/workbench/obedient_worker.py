"""A worker whose tasks need no solver: they sleep, fail, die, eat memory, or do not obey."""

import os
import signal
import time

from chainlist.app.workbench.talk import RequestRefused
from chainlist.app.workbench.worker import serve


def count(data, talk):
    """Counts to `to`, sending each number, until it is told to stop."""
    for number in range(data["to"]):
        if talk.should_stop():
            return {"reached": number, "timed_out": talk.out_of_time}, b""
        talk.send("chunk", {"number": number}, bytes([number % 256]) * 3)
        talk.progress((number + 1) / data["to"])
        time.sleep(data.get("pause", 0.01))
    return {"reached": data["to"], "pid": os.getpid()}, b"the end"


def report(data, talk):
    """Counts until it is told to stop, then takes `writing` seconds to write down what it has."""
    reached, _ = count(data, talk)
    talk.send("finishing", {})
    time.sleep(data["writing"])
    return reached, b"the report"


def deaf(data, talk):
    time.sleep(60)
    return {}, b""


def die(data, talk):
    os.kill(os.getpid(), signal.SIGKILL)


def eat(data, talk):
    return {"size": len(bytearray(data["bytes"]))}, b""


def refuse(data, talk):
    raise RequestRefused("not today")


def stumble(data, talk):
    raise ValueError("a mistake inside")


def chatter(data, talk):
    os.write(1, b"this must not disturb the messages")
    return {}, b""


if __name__ == "__main__":
    serve({f.__name__: f for f in (count, report, deaf, die, eat, refuse, stumble, chatter)})
