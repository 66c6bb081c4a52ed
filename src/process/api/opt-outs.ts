/** Builds what the handlers of opt-outs need: numbers as clients write them, and services that are theirs. */
import type { OptOutsBody, Service } from '../../../handlers/service.ts';
import type { Caller } from '../../access/client.ts';
import { addOptOuts, type OptOutsChange, removeOptOuts } from '../../manage/messaging/opt-outs.ts';
import { errors } from '../../platform/errors.ts';
import { hasService, listOptOuts } from '../../products/consent/opt-out-repository.ts';
import {
  type CountryCode,
  createPhoneParser,
  orUserId,
  type PhoneParser,
} from '../../products/phone/parse.ts';
import { parseRecipients } from '../../products/phone/route.ts';
import type { ProcessContext } from '../context.ts';

export function createOptOuts({
  config,
  clock,
  database: { knex },
  secrets: { hashPhone },
}: ProcessContext): Service['optOuts'] {
  const parsePhone = createPhoneParser(config.defaultRegion as CountryCode);
  const parsed = (written: readonly string[], parse: PhoneParser) => {
    const recipients = written.map((one) => ({ written: one, content: undefined }));
    return parseRecipients({ audience: 'many', recipients }, parse).map(({ phone }) => phone);
  };
  /** Of the body of a change. Rejects with 400 for invalid numbers, and with 404 for a service that the team lacks. */
  const changeOf = async (
    { teamId }: Caller,
    { phones, product: name, serviceId }: OptOutsBody,
  ): Promise<OptOutsChange> => {
    const product = name === 'Sms' ? 'sms' : 'chatapp';
    const change = {
      phones: parsed(phones, product === 'chatapp' ? orUserId(parsePhone) : parsePhone),
      product,
      teamId,
      serviceId: serviceId ?? null,
    } as const;
    if (serviceId !== undefined && !(await hasService(knex, product, teamId, serviceId)))
      throw errors.serviceUnknown(serviceId);
    return change;
  };
  const by = (clientId: string) => ({
    knex,
    clock,
    hashPhone,
    actor: { kind: 'client' as const, name: clientId },
  });
  return {
    list: (teamId, phoneHash, part) => listOptOuts(knex, { teamId, phoneHash }, part),
    hashOf: (written) => hashPhone(parsed([written], orUserId(parsePhone))[0] ?? ''),
    add: async (caller, body) =>
      addOptOuts(by(caller.clientId), {
        ...(await changeOf(caller, body)),
        target: body.target,
        source: 'Client',
      }),
    remove: async (caller, body) =>
      removeOptOuts(by(caller.clientId), { ...(await changeOf(caller, body)), consent: body.consent }),
  };
}
