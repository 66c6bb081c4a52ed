/** What the codes mean with which networks refuse messages, and what to do about each. */
import { own } from '../../platform/text/own.ts';
import type { ProductName } from '../products.ts';

export interface ReasonWords {
  means?: string;
  next?: string;
}

type Codes = Readonly<Record<string, Required<ReasonWords>>>;

const settings = 'Check the settings of the connector.';
const wrongMessage = {
  means: 'the network did not understand the message',
  next: settings,
};
const rejectedForGood = {
  means: 'the network rejected it for good',
  next: 'Ask the network, with the code.',
};
const otherOperator = {
  means: 'the number is not with this operator',
  next: 'Correct the number, or give the bundle through the channel of its operator.',
};
const wrongTemplate = {
  means: 'what was sent does not fit the approved template',
  next: 'Compare the template with the one that WhatsApp has.',
};

/** Of a submission, as connectors for SMPP store them: eight hexadecimal digits. */
const smpp: Codes = {
  '0x0000000A': {
    means: 'the network does not know the sender',
    next: 'Have the sender registered with the network.',
  },
  '0x0000000B': { means: 'the network does not know the number', next: 'Correct the number.' },
  '0x00000033': wrongMessage,
  '0x00000034': wrongMessage,
  '0x000000C4': wrongMessage,
  '0x00000065': rejectedForGood,
  '0x00000066': rejectedForGood,
};

/** Of providers of bundles; what the state itself says needs no more words. */
const bundles: Codes = {
  INVALID_MSISDN: otherOperator,
  WRONG_NETWORK: otherOperator,
  INSUFFICIENT_FLOAT: {
    means: 'your balance at the provider was empty',
    next: 'Refill it, then resume the connector if it is paused.',
  },
};

/** Of the Cloud API of WhatsApp. */
const whatsapp: Codes = {
  '131026': {
    means: 'the number is not on WhatsApp, or its app is too old',
    next: 'Send an SMS instead.',
  },
  '131030': {
    means: 'a test number may only write to numbers on its list',
    next: 'Add the number to that list, or use a real sender.',
  },
  '131047': {
    means: 'the person wrote more than 24 hours ago, so only templates may be sent',
    next: 'Send a template.',
  },
  '131049': {
    means: 'WhatsApp limits how many marketing messages a person gets',
    next: 'Send it again another day.',
  },
  '131051': { means: 'WhatsApp does not support this type of message', next: 'Change the message.' },
  '131052': { means: 'WhatsApp could not read the media', next: 'Check the address of the media.' },
  '131053': { means: 'WhatsApp could not take the media', next: 'Check the type and size of the media.' },
  '132000': wrongTemplate,
  '132001': {
    means: 'WhatsApp has no such template in this language',
    next: 'Compare name and language with the template that WhatsApp has.',
  },
  '132005': { means: 'the filled text is too long', next: 'Shorten the values.' },
  '132007': { means: 'the text breaks a rule of WhatsApp', next: 'Change the template.' },
  '132012': wrongTemplate,
  '132015': {
    means: 'WhatsApp paused the template for its quality',
    next: 'Improve the template, and have it reviewed again.',
  },
  '132016': {
    means: 'WhatsApp disabled the template for good',
    next: 'Make another template.',
  },
};

const codes: { [P in ProductName]: Codes } = { Sms: smpp, MobileData: bundles, ChatApp: whatsapp };

/** Nothing for a code that only its network knows. */
export const wordsOfCode = ({
  product,
  reasonCode = '',
}: {
  product: string;
  reasonCode?: string | undefined;
}): ReasonWords => own(own(codes, product as ProductName), reasonCode) ?? {};
