/** Has phones send texts: to the service itself, or through the SMSC to a client that is bound there. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { components } from '../../../../generated/sandbox.d.ts';
import type { ReceiveMessages } from '../../../inbound/receive.ts';
import { errors } from '../../../platform/errors.ts';
import { textsOf } from '../smsc/phone-text.ts';
import type { Smsc } from '../smsc/smsc.ts';
import { findDestination, postTo } from './repository.ts';

export interface HearDependencies {
  knex: Knex;
  receive: ReceiveMessages;
  /** Undefined: the sandbox has none. */
  smsc: Pick<Smsc, 'deliver'> | undefined;
}

export interface Hear {
  toService: (text: components['schemas']['TextOfPhone']) => Promise<void>;
  throughSmsc: (text: components['schemas']['TextThroughSmsc']) => void;
}

/** Each text is a new one. */
export function createHear({ knex, receive, smsc }: HearDependencies): Hear {
  return {
    toService: async ({ from, serviceId, text, callbackUrl }) => {
      const destination = await findDestination(knex, serviceId);
      if (destination === undefined) throw errors.serviceUnknown(serviceId);
      if (callbackUrl !== undefined) await postTo(knex, destination, serviceId, callbackUrl);
      const body = { content: { kind: 'text', text } } as const;
      const identity = randomUUID();
      await receive(destination, [{ from, to: destination.to, identity, repeatedWithinSeconds: null, body }]);
    },
    throughSmsc: ({ systemId, from, to, text }) => {
      if (smsc === undefined)
        throw errors.schemaViolation('The sandbox has no SMSC. Start it with --smpp-port.');
      const isNumber = to.startsWith('+');
      const addresses = {
        source: { ton: 1, npi: 1, number: from.replace('+', '') },
        destination: { ton: isNumber ? 1 : 3, npi: isNumber ? 1 : 0, number: to.replace('+', '') },
      };
      for (const part of textsOf(addresses, text, randomInt(0x100))) smsc.deliver(systemId, part);
    },
  };
}
