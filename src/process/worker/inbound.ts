/** Builds what receives messages of phones. */
import type { InboundDependencies } from '../../inbound/receive.ts';
import { type CountryCode, createPhoneParser } from '../../products/phone/parse.ts';
import type { ProcessContext } from '../context.ts';

export function inboundOf(
  { config, database, events }: ProcessContext,
  onPosts: () => void,
): InboundDependencies {
  return {
    knex: database.knex,
    parsePhone: createPhoneParser(config.defaultRegion as CountryCode),
    events,
    actOn: async () => new Map(),
    onPosts,
  };
}
