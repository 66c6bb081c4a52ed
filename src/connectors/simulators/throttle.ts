/** Counts how often a simulated network has throttled each message. */

/** Bounds the memory of throttled messages; a forgotten one starts again. */
const mostThrottled = 10_000;

/** Whether to throttle the message now: the first `times` times that it comes. */
export function createThrottle(): (messageId: string, times: number) => boolean {
  const counts = new Map<string, number>();
  return (messageId, times) => {
    const count = counts.get(messageId) ?? 0;
    if (count >= times) {
      counts.delete(messageId);
      return false;
    }
    if (counts.size >= mostThrottled) counts.clear();
    counts.set(messageId, count + 1);
    return true;
  };
}
