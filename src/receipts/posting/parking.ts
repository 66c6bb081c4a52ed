/** When an origin gets no receipts but a probe, and which times of the database still count after its clock was set. */

/** An origin that fails this often in a row is parked. */
export const failuresUntilParked = 20;
/** A parked origin is probed this often. */
export const parkedSeconds = 60;

export const parkedAnew = `service_now() + interval '${parkedSeconds} s'`;

/** A transaction that began later may have written a later time: only one further ahead means a clock set back. */
const clockSlackSeconds = 5;

/** An end further away was written before the clock was set back. */
export const isParked = (origins: string) =>
  `(${origins}.parked_until > service_now()
    and ${origins}.parked_until <= service_now() + interval '${parkedSeconds + clockSlackSeconds} s')`;

/** A row written in the future was written before the clock was set back: its next attempt may be hours too late. */
export const isDue = (receipts: string) =>
  `(${receipts}.next_attempt_at <= service_now()
    or ${receipts}.updated_at > service_now() + interval '${clockSlackSeconds} s')`;
