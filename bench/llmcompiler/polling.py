"""The scheduling rule of the original LLMCompiler, and nothing else of it, as a thing to compare with.

All tasks are known. In each round every task whose dependencies are over is launched; then, unless
all are over, the loop sleeps for ten milliseconds and looks again. Nothing is journaled, no result is
read, and no task can fail. Reads graphs as JSON from standard input: a list of lists of tasks, each
{"ms": number, "on": [indexes]}. Writes a list of {"took", "critical"}: milliseconds for each graph,
and of its longest chain with each task as long as it took.
"""

import asyncio
import json
import sys
import time

PERIOD_SECONDS = 0.01


async def perform(task, over, span):
    begun = time.perf_counter()
    if task["ms"] > 0:
        await asyncio.sleep(task["ms"] / 1000)
    span.append(time.perf_counter() - begun)
    over.set()


async def schedule(tasks):
    overs = [asyncio.Event() for _ in tasks]
    spans = [[] for _ in tasks]
    waiting = dict(enumerate(tasks))
    launched = []
    while True:
        ready = [i for i, task in waiting.items() if all(overs[need].is_set() for need in task["on"])]
        for i in ready:
            launched.append(asyncio.create_task(perform(waiting.pop(i), overs[i], spans[i])))
        if all(over.is_set() for over in overs):
            break
        await asyncio.sleep(PERIOD_SECONDS)
    await asyncio.gather(*launched)
    return [span[0] for span in spans]


def critical_path(tasks, spans):
    ends = []
    for task, span in zip(tasks, spans):
        ends.append(span + max((ends[need] for need in task["on"]), default=0))
    return max(ends)


def measured(tasks):
    begun = time.perf_counter()
    spans = asyncio.run(schedule(tasks))
    took = time.perf_counter() - begun
    return {"took": 1000 * took, "critical": 1000 * critical_path(tasks, spans)}


print(json.dumps([measured(tasks) for tasks in json.load(sys.stdin)]))
