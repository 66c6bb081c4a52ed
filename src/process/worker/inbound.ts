/** Builds what receives messages of phones. */
import { createActOn } from '../../inbound/keywords.ts';
import type { InboundDependencies } from '../../inbound/receive.ts';
import { type CountryCode, createPhoneParser } from '../../products/phone/parse.ts';
import type { ProcessContext } from '../context.ts';

export function inboundOf(
  { config, database, events, secrets }: ProcessContext,
  onPosts: () => void,
): InboundDependencies {
  return {
    knex: database.knex,
    parsePhone: createPhoneParser(config.defaultRegion as CountryCode),
    events,
    hashPhone: secrets.hashPhone,
    actOn: createActOn({ hashPhone: secrets.hashPhone, validitySeconds: config.messageValiditySeconds }),
    onPosts,
  };
}
