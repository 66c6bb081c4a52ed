/** The situations that a receiver is tested in, and what it must do in each. */
import { randomUUID } from 'node:crypto';
import type { PostOutcome } from '../../../receipts/callback/client.ts';
import type { Situation, Verdict } from '../verdict.ts';
import type { Posted, Probe } from './probe.ts';
import { chatAppSample, dataSample, smsSample } from './samples.ts';

export interface ReceiverSituation extends Situation {
  run: (probe: Probe) => Promise<Verdict>;
}

const verify = 'receipts.md#verify';
const acknowledge = 'receipts.md#acknowledge';
const hourSeconds = 3_600;
const otherSecret = 'whsec_bm90LXlvdXItc2VjcmV0LW5vdC15b3Vycw==';

export const receiverSituations: readonly ReceiverSituation[] = [
  accepting('valid', 'Receipts of all three products are signed with your secret.', acknowledge, [
    [smsSample(), {}],
    [dataSample(), {}],
    [chatAppSample(), {}],
  ]),
  accepting('formatting', 'The body is formatted unusually: the signature is that of its bytes.', verify, [
    [JSON.stringify(JSON.parse(smsSample({ reason: 'Simu haipatikani: à bientôt 😀' })), null, 3), {}],
    [smsSample().replace('Delivered', '\\u0044elivered'), {}],
  ]),
  accepting('rotation', 'Two secrets are valid: the second signature is yours.', verify, [
    [
      smsSample(),
      {
        headers: (all) => ({
          ...all,
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${all['webhook-signature']}`,
        }),
      },
    ],
  ]),
  accepting(
    'unknown-field',
    'The receipt has a property that the document does not have.',
    'compatibility.md#what-may-be-added',
    [[smsSample({ sandboxField: { nested: true } }), {}]],
  ),
  accepting(
    'unknown-state',
    'The receipt has a state that the document does not have.',
    'compatibility.md#unknown-states',
    [[smsSample({ deliveryStatus: 'SandboxState' }), {}]],
  ),
  rejecting('wrong-secret', 'The receipt is signed with another secret.', { secret: otherSecret }),
  rejecting('changed-body', 'The signature is that of another body.', { signed: smsSample() }),
  rejecting('no-signature', 'The receipt has no signature.', {
    headers: ({ 'webhook-signature': _signature, ...others }) => others,
  }),
  rejecting('old-timestamp', 'The receipt is correctly signed, and an hour old.', {
    aheadSeconds: -hourSeconds,
  }),
  rejecting('future-timestamp', 'The receipt is correctly signed, and an hour ahead.', {
    aheadSeconds: hourSeconds,
  }),
  {
    ...situation('duplicate', 'The same receipt is posted twice.', acknowledge),
    run: (probe) => {
      const id = randomUUID();
      const body = smsSample();
      return countedOnce(probe, [
        [body, { id }],
        [body, { id }],
      ]);
    },
  },
  {
    ...situation(
      'late-duplicate',
      'The same receipt is posted again, with a new timestamp and signature.',
      acknowledge,
    ),
    run: (probe) => {
      const id = randomUUID();
      const body = smsSample();
      return countedOnce(probe, [
        [body, { id, aheadSeconds: -60 }],
        [body, { id }],
      ]);
    },
  },
  accepting('reordered', 'The second receipt of a message arrives before the first.', 'receipts.md#order', [
    [chatAppSample({ sequence: 2, deliveryStatus: 'Delivered' }), {}],
    [chatAppSample({ sequence: 1, deliveryStatus: 'Sent' }), {}],
  ]),
  {
    ...situation('burst', 'Ten receipts arrive at once.', acknowledge),
    run: async (probe) => {
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => probe.post(smsSample())));
      return { findings: [...new Set(outcomes.flatMap(whyNotAccepted))] };
    },
  },
];

function situation(name: string, title: string, guide: string): Situation {
  return { name, title, guide };
}

function accepting(
  name: string,
  title: string,
  guide: string,
  posts: readonly (readonly [body: string, posted: Posted])[],
): ReceiverSituation {
  return {
    ...situation(name, title, guide),
    run: async (probe) => {
      const findings: string[] = [];
      for (const [body, posted] of posts) findings.push(...whyNotAccepted(await probe.post(body, posted)));
      return { findings: [...new Set(findings)] };
    },
  };
}

function rejecting(name: string, title: string, posted: Posted): ReceiverSituation {
  return {
    ...situation(name, title, verify),
    run: async (probe) => ({ findings: whyNotRejected(await probe.post(smsSample(), posted)) }),
  };
}

async function countedOnce(
  probe: Probe,
  posts: readonly (readonly [body: string, posted: Posted])[],
): Promise<Verdict> {
  const before = await probe.count();
  const findings: string[] = [];
  for (const [body, posted] of posts) findings.push(...whyNotAccepted(await probe.post(body, posted)));
  const after = await probe.count();
  if (before === undefined || after === undefined)
    return { findings, unknown: 'Whether the duplicate had an effect cannot be told without --count.' };
  if (after - before > 1) findings.push(`The receipt took effect ${after - before} times.`);
  if (after === before) findings.push('The receipt was acknowledged and had no effect.');
  return { findings };
}

function whyNotAccepted(outcome: PostOutcome): string[] {
  if (outcome.kind !== 'answered') return [`No response: ${outcome.reason}.`];
  const { status } = outcome;
  return status >= 200 && status < 300 ? [] : [`The response was ${status}; a valid receipt needs 2xx.`];
}

function whyNotRejected(outcome: PostOutcome): string[] {
  if (outcome.kind !== 'answered') return [`No response: ${outcome.reason}.`];
  const { status } = outcome;
  if (status >= 200 && status < 300) return [`The receipt was accepted (${status}).`];
  return status >= 400 && status < 500 ? [] : [`The response was ${status}; reject the receipt with 400.`];
}
