/** Sends an SMS to each phone number on its command line: node send.ts +254711000000 +254733000000 */
import { Tarishi } from '../../clients/typescript/src/client.ts';

const { env } = process;
const tarishi = new Tarishi({
  baseUrl: env.TARISHI_URL ?? 'http://127.0.0.1:4020',
  clientId: env.TARISHI_CLIENT_ID ?? 'demo',
  clientSecret: env.TARISHI_CLIENT_SECRET ?? '',
  timeoutMs: Number(env.REQUEST_TIMEOUT_SECONDS ?? 10) * 1_000,
});

for (const phone of process.argv.slice(2)) {
  const service = env.TARISHI_SERVICE_ID ?? 'demo-sms';
  const { requestId } = await tarishi.sms.send({ service, to: phone, text: 'Your order has shipped.' });
  console.log(`${phone}: ${requestId}`);
}
