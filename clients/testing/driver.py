"""Carries out calls of the Python client, one for each line of JSON on stdin: see driver.ts. With `async` of that for asyncio."""

import asyncio
import inspect
import json
import re
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "python" / "src"))

import tarishi  # noqa: E402
from tarishi import transport  # noqa: E402

pauses = []
clients = {}
loop = None
constructor = tarishi.Tarishi
# Notes the pauses between attempts instead of waiting.
transport.time.sleep = lambda seconds: pauses.append(seconds * 1000)
if sys.argv[1:] == ["async"]:
    import tarishi.aio.transport

    async def note(seconds):
        pauses.append(seconds * 1000)

    tarishi.aio.transport.sleep = note
    loop = asyncio.new_event_loop()
    constructor = tarishi.aio.AsyncTarishi


def keywords(names):
    """The names of Python's arguments."""
    snake_case = {re.sub("[A-Z]", lambda letter: "_" + letter.group().lower(), name): value for name, value in names.items()}
    return {"from_" if name == "from" else name: value for name, value in snake_case.items()}


def revived(part):
    """Python's own form of an instant."""
    return datetime.fromisoformat(part["instant"].replace("Z", "+00:00")) if "instant" in part else part


def carry_out(step):
    args = keywords(step["args"])
    if step["call"] == "verifyReceipt":
        return tarishi.verify_receipt(**args)
    if step["call"] == "handleReceipt":
        seen = []
        response = tarishi.handle_receipt(**args, on_receipt=lambda *receipt: seen.append(receipt))
        return {"status": response.status, "seen": seen}
    options = keywords(step["client"])
    client = clients.get(json.dumps(options)) or constructor(**options)
    clients[json.dumps(options)] = client
    resource, method = keywords(dict.fromkeys(step["call"].split(".")))
    function = getattr(getattr(client, resource), method)

    def once(_):
        result = function(**args, **keywords(step["options"]))
        return result if isinstance(result, (dict, bytes)) else list(result)

    async def once_async():
        result = function(**args, **keywords(step["options"]))
        return await result if inspect.isawaitable(result) else [item async for item in result]

    async def all_async():
        return await asyncio.gather(*(once_async() for _ in range(step["times"])))

    if loop is not None:
        results = loop.run_until_complete(all_async())
    else:
        with ThreadPoolExecutor() as pool:
            results = list(pool.map(once, range(step["times"])))
    return results[0] if step["times"] == 1 else results


def outcome_of(step):
    try:
        return {"value": carry_out(step)}
    except tarishi.TarishiError as error:
        names = {"status": "status", "code": "code", "desc": "desc", "result": "result"}
        names.update(requestId="request_id", retryAfter="retry_after", helpUrl="help_url")
        fields = {name: getattr(error, attribute) for name, attribute in names.items()}
        dump = f"{error!r} {error.__cause__!r} {[vars(client) for client in clients.values()]}"
        return {"error": {"kind": type(error).__name__, **fields}, "dump": dump}
    except (TypeError, ValueError) as error:
        return {"error": {"kind": "argument", "desc": str(error), "trace": traceback.format_exc()}}
    except Exception:
        return {"error": {"kind": "bug", "desc": traceback.format_exc()}}


for line in sys.stdin:
    pauses.clear()
    outcome = outcome_of(json.loads(line, object_hook=revived))
    # A file is bytes.
    print(json.dumps({**outcome, "pauses": pauses}, default=bytes.decode), flush=True)
