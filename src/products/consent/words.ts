/** The words that people reply to opt out, to opt in again, and to ask for help. */
import { own } from '../../platform/text/own.ts';

export type WordAction = 'OptOut' | 'OptIn' | 'Help';

/** What receivers of the message are told that it was taken for. */
export const keywordOf = { OptOut: 'STOP', OptIn: 'START', Help: 'HELP' } as const satisfies Record<
  WordAction,
  string
>;
export type Keyword = (typeof keywordOf)[WordAction];

/** A word of a service, with its own confirmation. */
export interface ServiceWord {
  word: string;
  action: WordAction;
  /** Absent: the confirmation of the language that the word is of. */
  reply?: string | undefined;
}

/** What a text asks for, and what is replied. */
export interface ConsentRequest {
  action: WordAction;
  reply: string;
}

interface Language {
  words: Readonly<Record<WordAction, readonly string[]>>;
  /** `{sender}` stands for the sender of the service. */
  replies: Readonly<Record<WordAction, string>>;
}

/** English first: its confirmations are those of words of no language. */
const languages: readonly [Language, ...Language[]] = [
  {
    words: {
      OptOut: [
        'STOP',
        'STOPALL',
        'STOP ALL',
        'UNSUBSCRIBE',
        'CANCEL',
        'END',
        'QUIT',
        'REVOKE',
        'OPT OUT',
        'OPTOUT',
      ],
      OptIn: ['START', 'UNSTOP', 'SUBSCRIBE', 'OPT IN', 'OPTIN'],
      Help: ['HELP', 'INFO'],
    },
    replies: {
      OptOut: 'You will get no more offers from {sender}. Reply START to get them again.',
      OptIn: 'You will get offers from {sender} again. Reply STOP to end them.',
      Help: 'These are messages from {sender}. Reply STOP to get no more offers.',
    },
  },
  {
    words: { OptOut: ['ACHA', 'SITISHA', 'ONDOA'], OptIn: ['ANZA'], Help: ['MSAADA'] },
    replies: {
      OptOut: 'Hutapokea tena matangazo ya {sender}. Jibu ANZA kuyapokea tena.',
      OptIn: 'Utapokea tena matangazo ya {sender}. Jibu ACHA kuyasitisha.',
      Help: 'Huu ni ujumbe wa {sender}. Jibu ACHA kusitisha matangazo.',
    },
  },
  {
    words: { OptOut: ['ARRET', 'ARRÊT', 'DESABONNER', 'DÉSABONNER'], OptIn: ['REPRENDRE'], Help: ['AIDE'] },
    replies: {
      OptOut: "Vous ne recevrez plus d'offres de {sender}. Répondez REPRENDRE pour en recevoir.",
      OptIn: 'Vous recevrez de nouveau les offres de {sender}. Répondez ARRET pour y mettre fin.',
      Help: 'Messages de {sender}. Répondez ARRET pour ne plus recevoir d’offres.',
    },
  },
];

const defaults = new Map<string, ServiceWord>(
  languages.flatMap(({ words, replies }) =>
    (Object.keys(words) as WordAction[]).flatMap((action) =>
      words[action].map((word) => [word, { word, action, reply: replies[action] }] as const),
    ),
  ),
);

/**
 * What a text asks for; undefined: nothing. The whole text must be the word, in any case, with white space around it.
 * `words`: those of the service, which go before the others; STOP always opts out.
 */
export function askedBy(
  text: string,
  words: readonly ServiceWord[],
  sender: string,
): ConsentRequest | undefined {
  const asked = normal(text);
  const ofService = words.find(({ word }) => normal(word) === asked);
  const found = ofService ?? defaults.get(asked);
  if (found === undefined) return undefined;
  const action = asked === keywordOf.OptOut ? 'OptOut' : found.action;
  const reply = found.reply ?? own(languages[0].replies, action) ?? '';
  return { action, reply: reply.replaceAll('{sender}', sender) };
}

const normal = (text: string) => text.normalize('NFC').trim().split(/\s+/).join(' ').toUpperCase();
