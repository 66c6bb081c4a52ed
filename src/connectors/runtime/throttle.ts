/** The simulated phone numbers that are throttled twice before their message is accepted. */
import type { HandOver, OutboundMessage } from '../contract/connector.ts';

const throttledSuffix = '0010';
const throttledTimes = 2;
/** Bounds the memory of throttled messages; one forgotten is throttled twice once more. */
const mostThrottled = 10_000;

/** Answers `later` for a message to such a number, twice for each; undefined for all others. */
export function createThrottle(): (message: OutboundMessage) => HandOver | undefined {
  const throttled = new Map<string, number>();
  return ({ id, phone }) => {
    if (!phone.endsWith(throttledSuffix)) return undefined;
    const times = throttled.get(id) ?? 0;
    if (times === throttledTimes) {
      throttled.delete(id);
      return undefined;
    }
    if (throttled.size >= mostThrottled) throttled.clear();
    throttled.set(id, times + 1);
    return { kind: 'later', delaySeconds: 1 };
  };
}
