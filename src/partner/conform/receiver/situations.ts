/** The situations that a receiver is tested in, and what it must do in each. */
import type { PostOutcome } from '../../../receipts/callback/client.ts';
import type { Situation, Verdict } from '../verdict.ts';
import type { Posted, Probe } from './probe.ts';
import type { Sample } from './samples.ts';
import { messages, receipts, type Subject } from './subjects.ts';

export interface ReceiverSituation extends Situation {
  run: (probe: Probe) => Promise<Verdict>;
}

type Post = readonly [sample: Sample, posted?: Posted];

const verify = 'receipts.md#verify';
const acknowledge = 'receipts.md#acknowledge';
const hourSeconds = 3_600;
const otherSecret = 'whsec_bm90LXlvdXItc2VjcmV0LW5vdC15b3Vycw==';

/** Of a receiver of receipts. */
export const receiverSituations: readonly ReceiverSituation[] = situationsOf(receipts);

/** Of a receiver of messages that people send. */
export const inboundSituations: readonly ReceiverSituation[] = [
  ...situationsOf(messages),
  {
    ...situation('same-text', 'A person sends the same text twice: these are two messages.', acknowledge),
    run: (probe) => effects(probe, messages, 2, [[messages.sample()], [messages.sample()]]),
  },
];

function situationsOf(subject: Subject): readonly ReceiverSituation[] {
  const { noun, sample, words, valid, unknownValue, reordered } = subject;
  const accepting = ({ name, title, guide }: Situation, posts: () => readonly Post[]): ReceiverSituation => ({
    ...situation(name, title, guide),
    run: async (probe) => ({ findings: [...new Set(await whyNotAllAccepted(probe, subject, posts()))] }),
  });
  const accepted = (name: string, { title, guide, samples }: Subject['valid']) =>
    accepting({ name, title, guide }, () => samples().map((one) => [one]));
  const rejecting = (name: string, title: string, posted: Posted): ReceiverSituation => ({
    ...situation(name, title, verify),
    run: async (probe) => ({ findings: whyNotRejected(await probe.post(sample(), posted), subject) }),
  });
  const once = (name: string, title: string, first: Posted): ReceiverSituation => ({
    ...situation(name, title, acknowledge),
    run: (probe) => {
      const one = sample();
      return effects(probe, subject, 1, [[one, first], [one]]);
    },
  });
  return [
    accepted('valid', valid),
    accepting(
      situation('formatting', 'The body is formatted unusually: the signature is that of its bytes.', verify),
      () => [
        [
          rewritten(sample({ [words]: 'Simu haipatikani: à bientôt 😀' }), (body) =>
            JSON.stringify(JSON.parse(body), null, 3),
          ),
        ],
        [rewritten(sample(), (body) => body.replace('"type"', '"\\u0074ype"'))],
      ],
    ),
    accepting(situation('rotation', 'Two secrets are valid: the second signature is yours.', verify), () => [
      [
        sample(),
        {
          headers: (all) => ({
            ...all,
            'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${all['webhook-signature']}`,
          }),
        },
      ],
    ]),
    accepting(
      situation(
        'unknown-field',
        `The ${noun} has a property that the document does not have.`,
        'compatibility.md#what-may-be-added',
      ),
      () => [[sample({ sandboxField: { nested: true } })]],
    ),
    accepted(unknownValue.name, unknownValue),
    rejecting('wrong-secret', `The ${noun} is signed with another secret.`, { secret: otherSecret }),
    rejecting('changed-body', 'The signature is that of another body.', { signed: sample().body }),
    rejecting('no-signature', `The ${noun} has no signature.`, {
      headers: ({ 'webhook-signature': _signature, ...others }) => others,
    }),
    rejecting('old-timestamp', `The ${noun} is correctly signed, and an hour old.`, {
      aheadSeconds: -hourSeconds,
    }),
    rejecting('future-timestamp', `The ${noun} is correctly signed, and an hour ahead.`, {
      aheadSeconds: hourSeconds,
    }),
    once('duplicate', `The same ${noun} is posted twice.`, {}),
    once('late-duplicate', `The same ${noun} is posted again, with a new timestamp and signature.`, {
      aheadSeconds: -60,
    }),
    accepted('reordered', reordered),
    {
      ...situation('burst', `Ten ${noun}s arrive at once.`, acknowledge),
      run: async (probe) => {
        const outcomes = await Promise.all(Array.from({ length: 10 }, () => probe.post(sample())));
        return { findings: [...new Set(outcomes.flatMap((outcome) => whyNotAccepted(outcome, subject)))] };
      },
    },
  ];
}

function situation(name: string, title: string, guide: string): Situation {
  return { name, title, guide };
}

function rewritten({ id, body }: Sample, change: (body: string) => string): Sample {
  return { id, body: change(body) };
}

async function whyNotAllAccepted(probe: Probe, subject: Subject, posts: readonly Post[]): Promise<string[]> {
  const findings: string[] = [];
  for (const post of posts) findings.push(...whyNotAccepted(await probe.post(...post), subject));
  return findings;
}

/** Everything must be accepted, and take effect that often. */
async function effects(
  probe: Probe,
  subject: Subject,
  expected: number,
  posts: readonly Post[],
): Promise<Verdict> {
  const before = await probe.count();
  const findings = await whyNotAllAccepted(probe, subject, posts);
  const after = await probe.count();
  const { noun } = subject;
  if (before === undefined || after === undefined)
    return { findings, unknown: `Whether the second ${noun} had an effect cannot be told without --count.` };
  const times = after - before;
  if (times > expected) findings.push(`The ${noun} took effect ${times} times.`);
  else if (times === 0) findings.push(`The ${noun} was acknowledged and had no effect.`);
  else if (times < expected) findings.push(`Of ${expected} ${noun}s only ${times} took effect.`);
  return { findings };
}

function whyNotAccepted(outcome: PostOutcome, { noun }: Subject): string[] {
  if (outcome.kind !== 'answered') return [`No response: ${outcome.reason}.`];
  const { status } = outcome;
  return status >= 200 && status < 300 ? [] : [`The response was ${status}; a valid ${noun} needs 2xx.`];
}

function whyNotRejected(outcome: PostOutcome, { noun }: Subject): string[] {
  if (outcome.kind !== 'answered') return [`No response: ${outcome.reason}.`];
  const { status } = outcome;
  if (status >= 200 && status < 300) return [`The ${noun} was accepted (${status}).`];
  return status >= 400 && status < 500 ? [] : [`The response was ${status}; reject the ${noun} with 400.`];
}
