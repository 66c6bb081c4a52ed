"""Receives receipts and messages of people on PORT, acts on each once, and responds to GET /count with how many it acted on."""
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["TARISHI_SIGNING_SECRET"].removeprefix("whsec_"))
processed = set()  # In production: a table with a unique index.


def is_genuine(headers, body):
    try:
        signed_at = int(headers["webhook-timestamp"])
        signed = f"{headers['webhook-id']}.{signed_at}.".encode() + body
        expected = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
        signatures = [one.removeprefix("v1,").encode() for one in headers["webhook-signature"].split()]
        return abs(time.time() - signed_at) <= 300 and any(
            hmac.compare_digest(one, expected) for one in signatures
        )
    except (AttributeError, TypeError, ValueError):
        return False


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not is_genuine(self.headers, body):
            self.respond(400)
            return
        posted = json.loads(body)
        identifier = self.headers["webhook-id"]
        if identifier not in processed:
            processed.add(identifier)
            if posted["type"] == "InboundMessage":
                print(f"{posted['from']}: {posted['kind']} {posted['text']}", flush=True)
            else:
                print(f"{posted['phone']}: {posted['deliveryStatus']}", flush=True)
        self.respond(204)

    def do_GET(self):
        self.respond(200, json.dumps({"count": len(processed)}).encode())

    def respond(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
