/** Load for the fault tests: random requests of every mode, and a proxy that loses responses. */
import { connect, createServer, type Server } from 'node:net';

export interface RandomRequest {
  body: object;
  /** In E.164 form, none twice. */
  phones: string[];
}

/** Outcomes of the simulator: two delivered, two rejected by it, one reported as undelivered. */
const suffixes = ['1234', '1234', '0001', '0005', '0002'];

/** A request to one to four recipients in one of the four modes, with templates of the demo data. */
export function randomRequest(random: () => number, receiptRequest: object): RandomRequest {
  const one = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value;
  const phones = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    (_, index) => `+254${one(['711', '733'])}${index}${Math.floor(random() * 10)}${one(suffixes)}`,
  );
  const message = 'Habari ya leo? '.repeat(1 + Math.floor(random() * 20)).trim();
  const params = [
    { name: '1', value: '482913' },
    { name: '2', value: '10' },
  ];
  const templateId = 'one-time-code';
  const modes = [
    { type: 'SendToMany', addresses: phones, message },
    { type: 'SendToEach', messages: phones.map((phone) => ({ phone, message })) },
    { type: 'TemplateSendToMany', templateId, addresses: phones, params },
    { type: 'TemplateSendToEach', templateId, messages: phones.map((phone) => ({ phone, params })) },
  ];
  return { body: { ...one(modes), receiptRequest }, phones };
}

/** Passes connections on to `port`, and cuts one instead of passing a response on in `share` of the cases. */
export function lossyProxy(port: number, share: number, random: () => number): Server {
  return createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (random() < share) cut();
      else client.write(bytes);
    });
    for (const socket of [client, upstream]) socket.on('error', cut).on('close', cut);
  });
}
