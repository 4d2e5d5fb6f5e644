"""A receiver of webhooks from Brokerbase. Python 3.8 or newer, nothing to install:
    WEBHOOK_SECRET=whsec_... PORT=8080 python3 receiver.py
"""
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
KEY = base64.b64decode(SECRET[len("whsec_"):] if SECRET.startswith("whsec_") else SECRET)
TOLERANCE = 300  # seconds that a timestamp may be off
LARGEST = 1024 * 1024


def number(text):
    """Return the whole number in a header, or None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def is_signed(headers, body):
    """Return whether one of the signatures is right; there are two while a secret is rotated."""
    event_id = headers.get("webhook-id", "")
    sent = headers.get("webhook-timestamp", "")
    if not KEY or number(sent) is None or abs(time.time() - number(sent)) > TOLERANCE:
        return False
    message = f"{event_id}.{sent}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, message, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(signature, expected) for signature in given)


# In production use a table with the id as its key, which survives a restart.
seen = set()


def take(event):
    """Store an event and return at once; process it after the answer. The same id may come again."""
    if event["id"] in seen:
        return
    seen.add(event["id"])
    print("took", event["id"], event["event"], event["sequence"], flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self):
        size = number(self.headers.get("Content-Length", "0"))
        if size is None:
            return self.answer(400)
        if size > LARGEST:
            return self.answer(413)
        # the signature is of the raw bytes: parse them afterwards
        body = self.rfile.read(size)
        if not is_signed(self.headers, body):
            return self.answer(400)
        take(json.loads(body))
        self.answer(204)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver)
    print("ready", flush=True)
    server.serve_forever()
