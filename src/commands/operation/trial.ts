/** Commands that try the service as a client: send an SMS, and receive receipts. */
import { systemClock } from '../../clock.ts';
import { credentialsFor } from '../../trial/credentials.ts';
import { type Heard, startListener } from '../../trial/listen.ts';
import { isFinal, sendAndFollow } from '../../trial/send.ts';
import { visible } from '../line/answer.ts';
import { CommandError, command, UsageError } from '../line/command.ts';

export const trialCommands = [
  command({
    words: 'send',
    about: 'send an SMS as a client of the running service, by default the demo, and wait for the outcome',
    positionals: { phone: 'phone number of the recipient' },
    optionalPositionals: { text: 'text of the SMS' },
    matching: {
      phone: { rule: /^[+\d][\d ()-]{6,30}$/, words: 'a phone number such as +254711000000' },
      text: { rule: /\S/, words: 'a text' },
    },
    options: {
      template: { kind: 'text', about: 'send this template instead of a text' },
      param: {
        kind: 'list',
        value: 'name=value',
        about: 'a parameter of the template',
        matching: { rule: /^[^=]+=/, words: 'name=value' },
      },
      'receipt-to': { kind: 'text', value: 'url', about: 'have the receipt posted to this URL' },
      wait: { kind: 'number', min: 1, max: 3_600, value: 'seconds', about: 'time to wait; default 40' },
      url: { kind: 'text', about: 'address of the API; default from demo.json' },
      client: { kind: 'text', about: 'id of the client; default from demo.json' },
      'client-secret': { kind: 'secret', about: 'secret of the client' },
      service: { kind: 'text', about: 'id of the SMS service; default from demo.json' },
    },
    async run({ phone, text, template, param, wait = 40, url, client, service, ...values }, { config }) {
      if ((text === undefined) === (template === undefined))
        throw new UsageError(['give either a <text> or a --template']);
      const credentials = credentialsFor(
        config.dataDirectory,
        { url, clientId: client, clientSecret: values['client-secret'], serviceId: service },
        ['url', 'clientId', 'clientSecret', 'serviceId'],
      );
      const content =
        template === undefined
          ? { text: text ?? '' }
          : { templateId: template, params: param.map(parameterOf) };
      const { message, seconds } = await sendAndFollow(
        credentials,
        { phone, content, receiptTo: values['receipt-to'] },
        wait,
      );
      const { requestId, channel = null, state, reason = null, units } = message;
      if (!isFinal(message))
        throw new CommandError(
          `no outcome within ${wait} s: the message is ${state}. Its request is ${requestId}`,
        );
      const took = `${seconds.toFixed(1)} s`;
      return { one: { phone: message.phone, state, reason, took, units, channel, request: requestId } };
    },
  }),
  command({
    words: 'listen',
    about: 'receive receipts on this machine, verify their signatures and print them; Ctrl-C ends it',
    prints: false,
    options: {
      port: { kind: 'number', min: 0, max: 65_535, about: 'port to listen on; 0 picks a free one (4000)' },
      'signing-secret': { kind: 'secret', about: 'signing secret of the client; default from demo.json' },
    },
    async run({ port = 4000, ...values }, { config }) {
      const given = { signingSecret: values['signing-secret'] };
      const { signingSecret } = credentialsFor(config.dataDirectory, given, ['signingSecret']);
      const { url } = await startListener({ port, signingSecret, clock: systemClock, onHeard: print }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EADDRINUSE') throw error;
          throw new CommandError(`port ${port} is in use; --port sets another`);
        },
      );
      process.stdout.write(
        `Waiting for receipts. Use this callbackUrl, or in another terminal run\n\n  tarishi send +254711000000 Habari --receipt-to ${url}\n\n`,
      );
      return undefined;
    },
  }),
];

function parameterOf(written: string): { name: string; value: string } {
  const place = written.indexOf('=');
  return { name: written.slice(0, place), value: written.slice(place + 1) };
}

function print(heard: Heard): void {
  const line = heard.verified ? `verified: ${sentenceOf(heard.receipt)}` : `rejected with 400: ${heard.why}`;
  process.stdout.write(`${visible(line)}\n`);
}

/** As receipts of all products are read: what it is about, its state, and all of it. */
function sentenceOf({ type, phone, deliveryStatus, ...rest }: Record<string, unknown>): string {
  return `${type} for ${phone}: ${deliveryStatus} ${JSON.stringify(rest)}`;
}
