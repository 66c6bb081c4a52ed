/** Receives receipts on PORT, acts on each once, and responds to GET /count with how many it acted on. */
import { createServer } from 'node:http';
import { verifyReceipt } from '../../clients/typescript/src/client.ts';

const { PORT = '4000', TARISHI_SIGNING_SECRET = '' } = process.env;

/** In production: a table with a unique index. */
const processed = new Set<string>();

createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ count: processed.size }));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const receipt = verifyReceipt(Buffer.concat(chunks), request.headers, TARISHI_SIGNING_SECRET);
    const id = String(request.headers['webhook-id']);
    if (!processed.has(id)) {
      processed.add(id);
      console.log(`${receipt.phone}: ${receipt.deliveryStatus}`);
    }
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(Number(PORT), '127.0.0.1');
