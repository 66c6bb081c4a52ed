/** Sends a burst through the simulated networks of a demo, with some failures to look into. */
import { Tarishi } from '../../clients/typescript/src/client.ts';
import type { Demo } from './file.ts';

/** The last four digits choose what becomes of a message (src/connectors/simulators/published-scripts.ts). */
const networks = ['+25471179', '+25473379'];
const failing = ['0001', '0002', '0003', '0005', '0006', '0007'];
const messages = 40;
const together = 10;
/** Nothing listens there: the receipts of one request fail. */
const deadEnd = 'http://127.0.0.1:9/receipts';

/** Returns how many messages were accepted. Rejects if the service does not take them. */
export async function sendBurst({ baseUrl, clientId, clientSecret, smsServiceId }: Demo): Promise<number> {
  const tarishi = new Tarishi({ baseUrl, clientId, clientSecret, retries: 0 });
  const phones = Array.from({ length: messages }, (_, place) => {
    const ending = place % 5 === 3 ? failing[Math.floor(place / 5) % failing.length] : String(1_000 + place);
    return `${networks[place % 3 === 2 ? 1 : 0]}${ending}`;
  });
  for (let first = 0; first < messages; first += together)
    await tarishi.sms.send({
      service: smsServiceId,
      to: phones.slice(first, first + together),
      text: 'Habari from the demo',
      correlator: `burst-${first / together + 1}`,
      ...(first === 0 ? { callbackUrl: deadEnd } : {}),
    });
  return messages;
}
