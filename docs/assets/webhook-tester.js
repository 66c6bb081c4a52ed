/** Makes the form of the webhook tester work. Nothing that is typed in leaves the page. */
import { keyOf, readHeaders, sign, verifyReceipt } from './verify-receipt.js';

const field = (name) => document.getElementById(`tester-${name}`);
const result = field('result');

document.getElementById('tester').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (crypto.subtle === undefined) {
    show('bad', ['The browser computes signatures on HTTPS pages and on this machine (localhost) only.']);
    return;
  }
  const { problems, notes } = await verifyReceipt({
    headers: readHeaders(field('headers').value),
    body: field('body').value,
    secret: field('secret').value,
    nowSeconds: Math.floor(Date.now() / 1000),
  });
  if (problems.length > 0) show('bad', ['Not verified.', ...problems, ...notes]);
  else show(notes.length > 0 ? 'fair' : 'good', ['Verified: it came from Tarishi, unchanged.', ...notes]);
});

field('sample').addEventListener('click', async () => {
  field('secret').value ||= `whsec_${btoa('a secret for this sample only')}`;
  const headers = {
    'webhook-id': crypto.randomUUID?.() ?? 'sample',
    'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
  };
  const body = JSON.stringify({
    type: 'SmsDeliveryReceipt',
    requestId: '5f0c6e0e-6f0b-4d53-9f0c-0a6c1c8f3f55',
    position: 0,
    correlator: 'order-4711',
    phone: '+254711000000',
    sequence: 1,
    timestamp: new Date().toISOString(),
    deliveryStatus: 'Delivered',
  });
  const key = keyOf(field('secret').value);
  if (typeof key === 'string' || crypto.subtle === undefined) {
    show('bad', [
      typeof key === 'string' ? key : 'This page has no access to WebCrypto: open it over HTTPS.',
    ]);
    return;
  }
  headers['webhook-signature'] = `v1,${await sign(key, headers, body)}`;
  field('headers').value = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  field('body').value = body;
  result.replaceChildren();
});

function show(verdict, sentences) {
  const lines = sentences.map((sentence) => {
    const line = document.createElement('p');
    line.textContent = sentence;
    return line;
  });
  const box = document.createElement('div');
  box.className = `verdict ${verdict}`;
  box.append(...lines);
  result.replaceChildren(box);
}
