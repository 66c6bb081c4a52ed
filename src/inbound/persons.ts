/** Learns which numbers and ids of networks are those of one person: a STOP under one name holds under the others. */
import type { PhoneIdentity, PhoneMessage } from '../connectors/contract/phone-message.ts';
import { isUserId, userIdPattern } from '../model/address.ts';
import { recordAtOnce } from '../platform/isolation/record.ts';
import type { HashPhone } from '../products/consent/opt-out-repository.ts';
import type { PhoneParser } from '../products/phone/parse.ts';
import { phoneOf } from './message.ts';
import { findNews, lockPersons, type Person, type PersonName, savePerson } from './person-repository.ts';
import type { UnreadableDependencies } from './unreadable.ts';

export interface PersonDependencies extends Pick<UnreadableDependencies, 'knex'> {
  parsePhone: PhoneParser;
  hashPhone: HashPhone;
}

/** Stores whose names are one person's, each once. */
export type LearnIdentities = (connector: string, identities: readonly PhoneIdentity[]) => Promise<void>;

export function createLearn({ knex, parsePhone, hashPhone }: PersonDependencies): LearnIdentities {
  return async (connector, shown) => {
    const persons = shown.flatMap(({ names, isChange = false }): Person[] => {
      const read = names.flatMap((name) => nameOf(name, parsePhone) ?? []);
      const unique = new Map(read.map((one) => [one.name, { ...one, hash: hashPhone(one.name) }]));
      // An id names its person; a number may have had another owner.
      const own = [...unique.values()].sort((one, other) => rank(one) - rank(other));
      return own.length < 2 ? [] : [{ connector, names: own, isChange }];
    });
    if (persons.length === 0 || (await findNews(knex, persons)).length === 0) return;
    await recordAtOnce(knex, async (trx) => {
      await lockPersons(trx);
      for (const person of await findNews(trx, persons)) await savePerson(trx, person);
    });
  };
}

const rank = ({ kind }: PersonName) => ['User', 'Number', 'Parent'].indexOf(kind);

function nameOf(written: string, parsePhone: PhoneParser): Omit<PersonName, 'hash'> | undefined {
  const id = userIdPattern.exec(written);
  if (id !== null) return { kind: id[2] === undefined ? 'User' : 'Parent', name: written };
  const phone = phoneOf(written, parsePhone);
  return phone === undefined ? undefined : { kind: 'Number', name: phone };
}

/** Who a message or preference is from: the number, or else the network's id; undefined: neither can be read. */
export function senderOf(
  { from, userId }: Pick<PhoneMessage, 'from' | 'userId'>,
  parsePhone: PhoneParser,
): string | undefined {
  const phone = from === undefined ? undefined : phoneOf(from, parsePhone);
  return phone ?? [from, userId].find((one) => one !== undefined && isUserId(one));
}
