/** Receives receipts on PORT, acts on each once, and responds to GET /count with how many it acted on. */
import { createServer } from 'node:http';
import { nodeReceiptHandler } from '../../clients/typescript/src/client.ts';

const { PORT = '4000', TARISHI_SIGNING_SECRET = '' } = process.env;

/** In production: a table with a unique index. */
const processed = new Set<string>();

const receive = nodeReceiptHandler({
  signingSecret: TARISHI_SIGNING_SECRET,
  onReceipt: (receipt, webhookId) => {
    if (processed.has(webhookId)) return;
    processed.add(webhookId);
    if (receipt.type === 'InboundMessage') console.log(`${receipt.from}: ${receipt.text}`);
    else console.log(`${receipt.phone}: ${receipt.deliveryStatus}`);
  },
});

createServer((request, response) => {
  if (request.method === 'GET') response.end(JSON.stringify({ count: processed.size }));
  else void receive(request, response);
}).listen(Number(PORT), '127.0.0.1');
