// Sends an SMS and waits for its receipt. Start the service with `npm start`, then: node examples/send-sms.js
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { nodeReceiptHandler, Tarishi } from 'tarishi-client';

const demo = JSON.parse(readFileSync(process.env.DEMO_FILE ?? 'data/demo.json', 'utf8'));
const tarishi = new Tarishi(demo);

const listener = createServer(
  nodeReceiptHandler({
    signingSecret: demo.signingSecret,
    onReceipt: (receipt) => {
      if (receipt.type !== 'InboundMessage') console.log(`${receipt.phone}: ${receipt.deliveryStatus}`);
      listener.close();
    },
  }),
);
await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve));

const { requestId } = await tarishi.sms.send({
  service: demo.smsServiceId,
  to: '+254711000000',
  text: 'Habari from Tarishi',
  callbackUrl: `http://127.0.0.1:${listener.address().port}/`,
});
console.log(`accepted as ${requestId}`);
