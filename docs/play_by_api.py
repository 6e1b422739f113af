"""A game of 4th Down! played by a program through the API of `hashmark serve`."""

import json
import random
import sys
from urllib.request import Request, urlopen


def ask(path, form=None, token=""):
    """Ask the server, and read what it says."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    body = None if form is None else json.dumps(form).encode()
    with urlopen(Request(f"{server}/api{path}", body, headers)) as answer:
        return json.load(answer)


server = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8642"
table = ask("/tables", {"rules": "fourth-down", "names": {"home": "Otters"}})
token, at = table["token"], f"/tables/{table['id']}"
print("The dice are sealed as", table["commitment"])

state = ask(f"{at}/ready", {"word": "heads"}, token)
while not state["over"]:
    wanted = state["wanted"]
    if wanted and wanted["yours"]:
        call = random.choice(wanted["calls"])["call"]
        state = ask(f"{at}/answers", {"moment": wanted["moment"], "call": call}, token)
    else:
        state = ask(f"{at}?wait=10", token=token)  # until it is our turn, or over

print("Otters {home}, away {away}".format(**state["score"]))
print(ask(f"{at}/check")["sentence"])
