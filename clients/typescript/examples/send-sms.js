// Sends an SMS and waits for its receipt. Start the service with `npm start`, then: node examples/send-sms.js
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createTarishi, verifyReceipt } from 'tarishi-client';

const demo = JSON.parse(readFileSync(process.env.DEMO_FILE ?? 'data/demo.json', 'utf8'));
const tarishi = createTarishi(demo);

const listener = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const receipt = verifyReceipt(Buffer.concat(chunks), request.headers, demo.signingSecret);
    response.writeHead(204).end();
    console.log(`${receipt.phone}: ${receipt.deliveryStatus}`);
    listener.close();
  } catch {
    response.writeHead(400).end();
  }
});
await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));

const { data, error } = await tarishi.POST('/message/{serviceId}', {
  params: { path: { serviceId: demo.smsServiceId } },
  body: {
    type: 'SendToMany',
    addresses: ['+254711000000'],
    message: 'Habari from Tarishi',
    receiptRequest: { callbackUrl: `http://127.0.0.1:${listener.address().port}/` },
  },
});
if (error) throw new Error(error.desc ?? error.error_description);
console.log(`accepted as ${data.result.requestId}`);
