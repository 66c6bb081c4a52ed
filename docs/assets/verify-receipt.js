/** Verifies a receipt under the Standard Webhooks scheme with WebCrypto, and says which part is wrong. */

/** How far the time of an attempt may be from now. */
const toleranceSeconds = 300;
const headerNames = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** Reads lines such as `webhook-id: x`; also as curl (`< webhook-id: x`) and JSON print them. */
export function readHeaders(text) {
  const found = {};
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === -1) continue;
    const name = line.slice(0, colon).replaceAll(/[\s<>"']/g, '');
    const value = line
      .slice(colon + 1)
      .replaceAll(/["']/g, '')
      .trim();
    found[name.toLowerCase()] = value.endsWith(',') ? value.slice(0, -1) : value;
  }
  return found;
}

/**
 * `{problems, notes}`: verified if `problems` is empty. Each is a sentence for people. `nowSeconds`: since
 * 1970.
 */
export async function verifyReceipt({ headers, body, secret, nowSeconds }) {
  const missing = headerNames.filter((name) => !headers[name]);
  const key = keyOf(secret);
  const problems = [
    ...missing.map((name) => `The header ${name} is missing.`),
    ...(body === '' ? ['The body is empty.'] : []),
    ...(typeof key === 'string' ? [key] : []),
  ];
  if (problems.length > 0) return { problems, notes: [] };
  const time = timeProblem(headers['webhook-timestamp'], nowSeconds);
  if (time.isUnreadable) return { problems: [time.sentence], notes: [] };
  const signatures = headers['webhook-signature'].split(' ').filter((one) => one.startsWith('v1,'));
  if (signatures.length === 0)
    return { problems: ['webhook-signature has no signature that begins with v1, (version 1).'], notes: [] };
  const matches = async (sentBody, sentKey = key, sentHeaders = headers) =>
    signatures.includes(`v1,${await sign(sentKey, sentHeaders, sentBody)}`);
  const notes = time.sentence === undefined ? [] : [time.sentence];
  if (await matches(body)) return { problems: [], notes };
  return { problems: [await findFault({ headers, body, secret, matches })], notes };
}

/** The signature without its version. */
export async function sign(key, headers, body) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const mac = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(signed));
  return btoa(String.fromCharCode(...new Uint8Array(mac)));
}

/** The bytes of a secret, or a sentence that says what is wrong with it. */
export function keyOf(secret) {
  const written = secret.trim();
  if (written === '') return 'The signing secret is empty.';
  try {
    return Uint8Array.from(atob(written.replace(/^whsec_/, '')), (character) => character.charCodeAt(0));
  } catch {
    return 'The signing secret is not Base64 after whsec_: a part of it may be missing.';
  }
}

function timeProblem(written, nowSeconds) {
  if (!/^\d{1,10}$/.test(written)) {
    const hint = /^\d{13}$/.test(written) ? ': these are milliseconds' : '';
    return {
      isUnreadable: true,
      sentence: `webhook-timestamp is not a number of seconds since 1970${hint}.`,
    };
  }
  const age = nowSeconds - Number(written);
  if (Math.abs(age) <= toleranceSeconds) return {};
  const minutes = Math.round(Math.abs(age) / 60);
  const when = age > 0 ? `${minutes} minutes old` : `${minutes} minutes in the future`;
  return {
    sentence: `webhook-timestamp is ${when}: a receiver must refuse it, because it accepts 5 minutes at most.`,
  };
}

/** Tries what commonly goes wrong on the way from the request to the check. */
async function findFault({ headers, body, secret, matches }) {
  const bodies = [
    [body.trim(), 'White space was added around the body.'],
    [`${body}\n`, 'The line feed at the end of the body is missing.'],
    [body.replaceAll('\r\n', '\n'), 'Line feeds in the body became CR LF.'],
    [
      compact(body),
      'The body was formatted anew: sign the bytes that were received, before any JSON parser.',
    ],
  ];
  for (const [other, sentence] of bodies) if (other !== undefined && (await matches(other))) return sentence;
  if (await matches(body, new TextEncoder().encode(secret.trim())))
    return 'The signature was made with the text of the secret: its key is the secret without whsec_, decoded from Base64.';
  const trimmed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.trim()]));
  if (await matches(body, undefined, trimmed)) return 'A header has white space around its value.';
  return 'The signature belongs to another secret, another body, another webhook-id or another webhook-timestamp.';
}

function compact(body) {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}
