/** Records what people told a network: that they want no more marketing of a sender, or want it again. */
import type { PhonePreference } from '../connectors/contract/phone-message.ts';
import type { Events } from '../model/events.ts';
import { addEntries, removeOptOuts } from '../products/consent/opt-out-repository.ts';
import { findAddressees } from './addressee-repository.ts';
import { type PersonDependencies, senderOf } from './persons.ts';
import { type Decision, takeDecisions } from './preference-repository.ts';
import { keepUnread, type UnreadableDependencies } from './unreadable.ts';

export interface PreferenceDependencies extends UnreadableDependencies, PersonDependencies {
  events: Pick<Events, 'messageDropped' | 'inboundUnreadable'>;
}

/** Resolves once all are recorded or dropped. Rejects if one is not: the network sends it again. */
export type RecordPreferences = (connector: string, preferences: readonly PhonePreference[]) => Promise<void>;

/**
 * An opt-out of MARKETING of the sender's service, with the network as its source; resuming removes what networks said of that
 * service. Networks repeat calls and send them late: what is older than the last decision changes nothing.
 */
export function createRecordPreferences(dependencies: PreferenceDependencies): RecordPreferences {
  const { knex, parsePhone, hashPhone, events } = dependencies;
  return async (connector, preferences) => {
    const via = { connector, product: 'chatapp' } as const;
    const said = preferences.flatMap((preference) => {
      const phone = senderOf(preference, parsePhone);
      return phone === undefined ? [] : [{ ...preference, ...via, phone }];
    });
    await keepUnread(
      dependencies,
      via,
      preferences.filter((preference) => senderOf(preference, parsePhone) === undefined),
    );
    if (said.length === 0) return;
    const unknown = await knex.transaction(async (trx) => {
      const addressees = await findAddressees(trx, said);
      const decisions = said.flatMap(({ phone, marketing, occurredAt }, place): Decision[] => {
        const addressee = addressees[place];
        if (typeof addressee !== 'object') return [];
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
