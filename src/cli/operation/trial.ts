/** Commands that try the service as a client: send an SMS, and receive receipts. */

import type { Posted } from '../../../clients/typescript/src/client.ts';
import { credentialsFor } from '../../partner/trial/credentials.ts';
import type { Heard } from '../../partner/trial/listen.ts';
import { commandName } from '../../process/command-name.ts';
import { visible } from '../line/answer.ts';
import { command } from '../line/command.ts';
import { CommandError, UsageError } from '../line/errors.ts';

/** Of `send`, besides those that all commands have. */
const exitCodes = { undelivered: 3, open: 4 };

export const trialCommands = [
  command({
    words: 'send',
    about:
      'send an SMS as a client of the running service, by default the demo, and wait for the outcome; exit code 3 if it was not delivered, 4 if the outcome is still open',
    positionals: { phone: 'phone number of the recipient' },
    optionalPositionals: { text: 'text of the SMS; default: Habari from Tarishi' },
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
      wait: { kind: 'number', min: 1, max: 3_600, value: 'seconds', about: 'time to wait; default: 40' },
      url: {
        kind: 'text',
        about: 'address of the API; default: from demo.json',
        matching: { rule: /^https?:\/\/./i, words: 'an http or https URL' },
      },
      client: { kind: 'text', about: 'id of the client; default: from demo.json' },
      'client-secret': { kind: 'secret', about: 'the secret of the client', otherwise: 'that of the demo' },
      service: { kind: 'text', about: 'id of the SMS service; default: from demo.json' },
    },
    async run({ phone, text, template, param, wait = 40, url, client, service, ...values }, { config }) {
      if (text !== undefined && template !== undefined)
        throw new UsageError(['give either a <text> or a --template']);
      const params = Object.fromEntries(param.map(parameterOf));
      if (Object.keys(params).length < param.length) throw new UsageError(['give each --param once']);
      const credentials = credentialsFor(
        config.dataDirectory,
        { url, clientId: client, clientSecret: values['client-secret'], serviceId: service },
        ['url', 'clientId', 'clientSecret', 'serviceId'],
      );
      const common = { service: credentials.serviceId, to: phone, callbackUrl: values['receipt-to'] };
      const sms =
        template === undefined
          ? { ...common, text: text ?? 'Habari from Tarishi' }
          : { ...common, template, params };
      const { isFinal, sendAndFollow } = await import('../../partner/trial/send.ts');
      const { message, seconds } = await sendAndFollow(credentials, sms, wait);
      const { requestId, channel = null, state, reason = null, units, refunded } = message;
      const took = `${seconds.toFixed(1)} s`;
      return {
        one: {
          phone: message.phone ?? null,
          state,
          reason,
          took,
          units,
          refunded,
          channel,
          request: requestId,
        },
        exitCode: !isFinal(message) ? exitCodes.open : state === 'Delivered' ? 0 : exitCodes.undelivered,
      };
    },
  }),
  command({
    words: 'listen',
    about: 'receive receipts on this machine, verify their signatures and print them; Ctrl-C ends it',
    prints: false,
    options: {
      port: {
        kind: 'number',
        min: 0,
        max: 65_535,
        about: 'port to listen on; 0 picks a free one; default: 4000',
      },
      'signing-secret': {
        kind: 'secret',
        about: 'the signing secret of the client',
        otherwise: 'that of the demo',
      },
    },
    async run({ port = 4000, ...values }, { config }) {
      const given = { signingSecret: values['signing-secret'] };
      const { signingSecret } = credentialsFor(config.dataDirectory, given, ['signingSecret']);
      const { startListener } = await import('../../partner/trial/listen.ts');
      const { url } = await startListener({ port, signingSecret, onHeard: print }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EADDRINUSE') throw error;
          throw new CommandError(`port ${port} is in use; --port sets another`);
        },
      );
      process.stdout.write(
        `Waiting for receipts. Use this callbackUrl, or in another terminal run\n\n  ${commandName(config.dataDirectory)} send +254711000000 Habari --receipt-to ${url}\n\n`,
      );
      return undefined;
    },
  }),
];

function parameterOf(written: string): [name: string, value: string] {
  const place = written.indexOf('=');
  return [written.slice(0, place), written.slice(place + 1)];
}

function print(heard: Heard): void {
  const line = heard.verified ? `verified: ${sentenceOf(heard.receipt)}` : `rejected with 400: ${heard.why}`;
  process.stdout.write(`${visible(line)}\n`);
}

/** As receipts of all products are read: what it is about, its state, and all of it. */
function sentenceOf(posted: Posted): string {
  if (posted.type === 'InboundMessage') {
    const { type, from, text, ...rest } = posted;
    return `${type} from ${from}: ${text} ${JSON.stringify(rest)}`;
  }
  const { type, phone, deliveryStatus, ...rest } = posted;
  return `${type} for ${phone}: ${deliveryStatus} ${JSON.stringify(rest)}`;
}
