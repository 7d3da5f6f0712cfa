"""The load of other programs during measurements."""

import os
import time


def machine_seconds():
    """CPU time of all programs since the machine started; None if the system does not report it."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    except (OSError, ValueError):
        return None
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


class OtherLoad:
    """Starts to count when it is created."""

    def __init__(self):
        self._wall, self._machine, self._own = self._now()

    @staticmethod
    def _now():
        return time.monotonic(), machine_seconds(), sum(os.times()[:4])  # with children that have ended

    def processors(self):
        wall, machine, own = self._now()
        if machine is None or wall <= self._wall:
            return 0.0
        return max(0.0, (machine - self._machine - (own - self._own)) / (wall - self._wall))
