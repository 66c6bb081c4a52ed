/** Records what people told a network: that they want no more marketing of a sender, or want it again. */
import type { Knex } from 'knex';
import type { PhonePreference } from '../connectors/contract/phone-message.ts';
import type { Events } from '../model/events.ts';
import { addEntries, type HashPhone, removeOptOuts } from '../products/consent/opt-out-repository.ts';
import type { PhoneParser } from '../products/phone/parse.ts';
import { findAddressees } from './addressee-repository.ts';
import { phoneOf } from './message.ts';
import { type Decision, takeDecisions } from './preference-repository.ts';

export interface PreferenceDependencies {
  knex: Knex;
  parsePhone: PhoneParser;
  hashPhone: HashPhone;
  events: Pick<Events, 'messageDropped'>;
}

/** Resolves once all are recorded or dropped. Rejects if one is not: the network sends it again. */
export type RecordPreferences = (connector: string, preferences: readonly PhonePreference[]) => Promise<void>;

/**
 * An opt-out of MARKETING of the sender's service, with the network as its source; resuming removes what networks said of that
 * service. Networks repeat calls and send them late: what is older than the last decision changes nothing.
 */
export function createRecordPreferences({
  knex,
  parsePhone,
  hashPhone,
  events,
}: PreferenceDependencies): RecordPreferences {
  return async (connector, preferences) => {
    const said = preferences.flatMap(({ from, ...preference }) => {
      const phone = phoneOf(from, parsePhone);
      if (phone === undefined) events.messageDropped(connector, 'phone');
      return phone === undefined ? [] : [{ ...preference, connector, product: 'chatapp' as const, phone }];
    });
    if (said.length === 0) return;
    const unknown = await knex.transaction(async (trx) => {
      const addressees = await findAddressees(trx, said);
      const decisions = said.flatMap(({ phone, marketing, occurredAt }, place): Decision[] => {
        const addressee = addressees[place];
        if (addressee === undefined) return [];
        const { teamId, serviceId } = addressee;
        return [{ phone, phoneHash: hashPhone(phone), teamId, serviceId, marketing, occurredAt }];
      });
      for (const { phone, teamId, serviceId, marketing } of await takeDecisions(trx, decisions)) {
        const scope = { product: 'chatapp', teamId, serviceId } as const;
        if (marketing) await removeOptOuts(trx, [phone], scope, hashPhone, 'Network');
        else await addEntries(trx, [{ ...scope, phone, target: 'MARKETING', source: 'Network' }], hashPhone);
      }
      return said.length - decisions.length;
    });
    for (let left = unknown; left > 0; left -= 1) events.messageDropped(connector, 'sender');
  };
}
