/** Receives receipts and messages of people on PORT, acts on each once, and responds to GET /count with how many it acted on. */
import { createServer } from 'node:http';
import { nodeReceiptHandler } from '../../clients/typescript/src/client.ts';

const { PORT = '4000', TARISHI_SIGNING_SECRET = '' } = process.env;

/** In production: a table with a unique index. */
const processed = new Set<string>();

const receive = nodeReceiptHandler({
  signingSecret: TARISHI_SIGNING_SECRET,
  onReceipt: (posted, webhookId) => {
    if (processed.has(webhookId)) return;
    processed.add(webhookId);
    if (posted.type === 'InboundMessage') console.log(`${posted.from}: ${posted.kind} ${posted.text}`);
    else console.log(`${posted.phone}: ${posted.deliveryStatus}`);
  },
});

createServer((request, response) => {
  if (request.method === 'GET') response.end(JSON.stringify({ count: processed.size }));
  else void receive(request, response);
}).listen(Number(PORT), '127.0.0.1');
