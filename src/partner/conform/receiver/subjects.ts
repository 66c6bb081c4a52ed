/** What a receiver can get: receipts, or messages of people. Each has examples of its own for the situations that both share. */
import { randomUUID } from 'node:crypto';
import { type Change, chatAppSample, dataSample, inboundSample, type Sample, smsSample } from './samples.ts';

interface Example {
  title: string;
  guide: string;
  samples: () => Sample[];
}

export interface Subject {
  noun: 'receipt' | 'message';
  sample: (change?: Change) => Sample;
  /** The property that has words in it. */
  words: 'reason' | 'text';
  /** Everything that the document has. */
  valid: Example;
  /** A value that the document does not have, of a property whose values may grow. */
  unknownValue: Example & { name: string };
  /** The newest first. */
  reordered: Example;
}

export const receipts: Subject = {
  noun: 'receipt',
  sample: smsSample,
  words: 'reason',
  valid: {
    title: 'Receipts of all three products, and of an SMS in reserve, are signed with your secret.',
    guide: 'receipts.md#acknowledge',
    samples: () => [
      ...[smsSample(), dataSample(), chatAppSample()],
      ...[chatAppSample({ fallbackStatus: 'Sent' }), smsSample({ isFallback: true })],
    ],
  },
  unknownValue: {
    name: 'unknown-state',
    title: 'The receipt has a state that the document does not have.',
    guide: 'compatibility.md#unknown-states',
    samples: () => [smsSample({ deliveryStatus: 'SandboxState' })],
  },
  reordered: {
    title: 'The second receipt of a message arrives before the first.',
    guide: 'receipts.md#order',
    samples: () => {
      const ofOneMessage = { requestId: randomUUID() };
      return [
        chatAppSample({ ...ofOneMessage, sequence: 2, deliveryStatus: 'Delivered' }),
        chatAppSample({ ...ofOneMessage, sequence: 1, deliveryStatus: 'Sent' }),
      ];
    },
  },
};

const getPosted = 'receive-replies.md#get-them-posted';

export const messages: Subject = {
  noun: 'message',
  sample: inboundSample,
  words: 'text',
  valid: {
    title: 'Messages of every kind are signed with your secret: a reply, STOP, a button, a file, a location.',
    guide: getPosted,
    samples: () => [
      inboundSample({ inReplyTo: { requestId: randomUUID(), correlator: 'order-4711' } }),
      inboundSample({ text: 'STOP', keyword: 'STOP' }),
      inboundSample({ text: 'Habari …', missingParts: 1 }),
      chatMessage({ kind: 'Button', text: 'Yes' }),
      chatMessage({ kind: 'Media', text: '', media: { id: '1013859600285441', mimeType: 'image/jpeg' } }),
      chatMessage({ kind: 'Other', text: '' }),
    ],
  },
  unknownValue: {
    name: 'unknown-kind',
    title: 'The message is of a kind that the document does not have.',
    guide: 'compatibility.md#what-may-be-added',
    samples: () => [inboundSample({ kind: 'SandboxKind', text: '' })],
  },
  reordered: {
    title: 'The second message of a person arrives before the first.',
    guide: getPosted,
    samples: () => [
      inboundSample({ receivedAt: '2026-11-21T09:30:05.000Z' }),
      inboundSample({ receivedAt: '2026-11-21T09:30:00.000Z' }),
    ],
  },
};

function chatMessage(change: Change): Sample {
  return inboundSample({ product: 'ChatApp', serviceId: 'demo-chatapp', to: '+254711000999', ...change });
}
