"""Sends an SMS to each phone number on its command line: python3 send.py +254711000000 +254733000000"""
import http.client, json, os, random, sys, time, urllib.error, urllib.parse, urllib.request, uuid

URL = os.environ["TARISHI_URL"]
SERVICE = os.environ.get("TARISHI_SERVICE_ID", "demo-sms")
TIMEOUT_SECONDS = float(os.environ.get("REQUEST_TIMEOUT_SECONDS", "10"))
RETRYABLE = {409, 429, 500, 502, 503, 504}
MOST_ATTEMPTS = 5


def attempt(path, body, headers):
    """Makes one call. Raises when there is no response."""
    request = urllib.request.Request(URL + path, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def call(path, body, headers):
    """Retries until there is a final response."""
    for number in range(MOST_ATTEMPTS):
        pause = 0.5 * 2**number * random.uniform(0.5, 1)
        try:
            status, response_headers, content = attempt(path, body, headers)
            if status not in RETRYABLE or response_headers.get("Error-Code") == "key-reused":
                return status, content
            pause = max(pause, int(response_headers.get("Retry-After", 0)))
        except (OSError, http.client.HTTPException) as error:
            status = error
        if number + 1 < MOST_ATTEMPTS:
            time.sleep(pause)
    sys.exit(f"{path}: no success after {MOST_ATTEMPTS} attempts ({status})")


def get_token():
    form = {
        "grant_type": "client_credentials",
        "client_id": os.environ["TARISHI_CLIENT_ID"],
        "client_secret": os.environ["TARISHI_CLIENT_SECRET"],
    }
    status, content = call("/oauth/token", urllib.parse.urlencode(form).encode(), {})
    if status != 200:
        sys.exit(f"no token: {content.decode()}")
    return json.loads(content)["access_token"]


def send(phone, token):
    """Returns the token in use, which may be a new one."""
    key = str(uuid.uuid4())
    body = {"type": "SendToMany", "addresses": [phone], "message": "Your order has shipped."}
    for renewed in (False, True):
        headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
        }
        status, content = call(f"/message/{SERVICE}", json.dumps(body).encode(), headers)
        if status != 401 or renewed:
            break
        token = get_token()
    if status != 200:
        sys.exit(f"{phone}: {content.decode()}")
    print(f"{phone}: {json.loads(content)['result']['requestId']}")
    return token


current_token = get_token()
for recipient in sys.argv[1:]:
    current_token = send(recipient, current_token)
