/** Calls the operation of the page from its form, and shows the response. Credentials stay in the page. */
const form = document.getElementById('try');
const { method, path, base, token: tokenPath, errors, type } = form.dataset;
const button = form.querySelector('[type=submit]');
const example = document.getElementById('try-example');
const body = document.getElementById('try-body');
const state = document.getElementById('try-state');
const result = document.getElementById('try-result');

const timeoutMs = 30_000;
/** More would make the page slow. */
const longestShown = 100_000;

let token;

example?.addEventListener('change', () => {
  body.value = example.value;
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  // One at a time: a second click must not send a second message.
  button.disabled = true;
  result.hidden = true;
  show('', ['Sending …']);
  try {
    await send();
  } catch (error) {
    const sentence =
      error.name === 'TimeoutError'
        ? 'No response within 30 s.'
        : 'No response: the service could not be reached.';
    show('bad', [sentence, method === 'GET' ? '' : ' The request may have been carried out all the same.']);
  } finally {
    button.disabled = false;
  }
});

async function send() {
  const headers = new Headers(filled('header'));
  const credential = await credentialOf();
  if (credential === undefined) return;
  if (credential !== '') headers.set('Authorization', `Bearer ${credential}`);
  if (type !== '') headers.set('Content-Type', type);
  const started = performance.now();
  const response = await request(addressOf(), { method, headers, ...payload() });
  if (response.status === 401) token = undefined;
  await showResponse(response, performance.now() - started);
}

function addressOf() {
  const values = new Map(filled('path'));
  const target = path.slice(1).replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(values.get(name)));
  const address = new URL(base + target, location.href);
  for (const [name, value] of filled('query')) address.searchParams.append(name, value);
  return address;
}

function payload() {
  if (body !== null) return { body: body.value };
  return type === '' ? {} : { body: new URLSearchParams(filled('form')) };
}

/** Empty if the operation needs none; undefined if the service refused the client, which is shown. */
async function credentialOf() {
  const access = new URLSearchParams(filled('access'));
  if (access.size === 0) return '';
  if (access.has('key')) return access.get('key');
  access.set('grant_type', 'client_credentials');
  const asked = access.toString();
  if (token?.asked === asked && Date.now() < token.endsAt) return token.value;
  const response = await request(new URL(tokenPath, location.href), { method: 'POST', body: access });
  if (!response.ok) {
    await showResponse(response, 0);
    return undefined;
  }
  const { access_token: value, expires_in: seconds } = await response.json();
  token = { asked, value, endsAt: Date.now() + (seconds - 10) * 1000 };
  return value;
}

function request(address, options) {
  return fetch(address, {
    ...options,
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(timeoutMs),
  });
}

/** Fields that stay empty are not sent. */
function filled(place) {
  return [...form.querySelectorAll(`[data-in=${place}]`)]
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => [name, value]);
}

async function showResponse(response, tookMs) {
  const text = await response.text();
  const slug = response.headers.get('error-code');
  const took = tookMs === 0 ? '' : ` in ${Math.round(tookMs)} ms`;
  const status = `${response.status} ${response.statusText}`.trim();
  show(response.ok ? 'good' : 'bad', [`${status}${took}`, ...(slug === null ? [] : [': ', linkTo(slug)])]);
  result.querySelector('code').textContent = readable(text);
  result.hidden = text === '';
}

function linkTo(slug) {
  const link = document.createElement('a');
  link.href = errors + encodeURIComponent(slug);
  link.textContent = `${slug}: cause and fix`;
  return link;
}

function readable(text) {
  let whole = text;
  try {
    whole = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON, such as CSV: as it is.
  }
  return whole.length <= longestShown
    ? whole
    : `${whole.slice(0, longestShown)}\n… ${whole.length} characters in all`;
}

function show(verdict, parts) {
  state.className = verdict === '' ? '' : `verdict ${verdict}`;
  state.replaceChildren(...parts);
}
