/** The settings of a connector to an SMSC, and the PDU fields that follow from them. */
import { type NetworkState, networkStatesOf } from '../../model/states.ts';
import { whole } from '../runtime/setting-rules.ts';
import { presets } from './presets.ts';
import { type ReportIdForm, reportIdForms } from './reports/report-id.ts';
import { type Parameters, parameterFormats } from './sending/parameters.ts';
import { type Alphabet, alphabets, type Concatenation, concatenations } from './sending/parts.ts';
import type { Address } from './wire/bodies.ts';

export const bindModes = ['transceiver', 'transmitter+receiver'] as const;
export type BindMode = (typeof bindModes)[number];

/** What to do with a part that was sent and got no response: it may have arrived. */
export const afterSilence = ['resend', 'wait'] as const;
export type AfterSilence = (typeof afterSilence)[number];

export interface SmppSettings {
  preset?: string;
  /** One or several, separated by commas, in the order in which they are tried; each may have a port of its own. */
  host: string;
  port: number;
  tls: boolean;
  /** PEM; absent: the certificates that Node trusts. */
  tlsCertificateAuthority?: string;
  systemId: string;
  systemType: string;
  bindMode: BindMode;
  /** Connections of all processes together; with a transmitter and a receiver each, twice as many. */
  binds: number;
  /** submit_sm without a response, per bind. */
  window: number;
  /** Parts per second over all binds of all processes. */
  rate: number;
  enquireLinkSeconds: number;
  enquireLinkDeadlineSeconds: number;
  responseTimeoutSeconds: number;
  serviceType: string;
  /** Type of number and numbering plan as `ton/npi` (SMPP 3.4 sections 5.2.5 and 5.2.6). */
  alphanumericSource: string;
  shortCodeSource: string;
  msisdnSource: string;
  destination: string;
  defaultAlphabet: Alphabet;
  concatenation: Concatenation;
  /** How long the SMSC tries; 0: as long as it likes (section 5.2.16). */
  validitySeconds: number;
  registeredDelivery: number;
  /** Of each submit_sm. */
  parameters: Parameters;
  reportId: ReportIdForm;
  reportIdIgnoresLeadingZeros: boolean;
  reportIdIgnoresCase: boolean;
  /**
   * For an SMSC that does not say in esm_class what is a report: receipted_message_id and message_state say it too, if it comes
   * from the recipient's own number. A text never does.
   */
  unmarkedReports: boolean;
  /** Names, by tag, of the parameters of a report that are kept with its message. */
  reportTags: Readonly<Record<string, string>>;
  /** A phone's message that comes again within this time is taken for a repetition by the SMSC. */
  repeatedWithinSeconds: number;
  unanswered: AfterSilence;
  /** The state that an `err` code of this operator's reports means, where it says more than the state in the report. */
  errorStates: Readonly<Record<string, NetworkState>>;
}

const tonNpi = (fallback: string) => ({ type: 'string', pattern: '^\\d{1,3}/\\d{1,3}$', default: fallback });
const text = (maxLength: number) => ({ type: 'string', maxLength, pattern: '^[ -~]*$' });

/** JSON Schema of each setting. */
export const settingsProperties = {
  preset: { enum: Object.keys(presets) },
  host: { type: 'string', minLength: 1 },
  port: whole(1, 65_535, 2775),
  tls: { type: 'boolean', default: false },
  tlsCertificateAuthority: { type: 'string', minLength: 1 },
  systemId: { ...text(15), minLength: 1 },
  systemType: { ...text(12), default: '' },
  bindMode: { enum: bindModes, default: 'transceiver' },
  binds: whole(1, 20, 1),
  window: whole(1, 100, 10),
  rate: whole(1, 100_000, 100),
  enquireLinkSeconds: whole(1, 600, 30),
  enquireLinkDeadlineSeconds: whole(1, 60, 10),
  responseTimeoutSeconds: whole(10, 60, 30),
  serviceType: { ...text(5), default: '' },
  alphanumericSource: tonNpi('5/0'),
  shortCodeSource: tonNpi('3/0'),
  msisdnSource: tonNpi('1/1'),
  destination: tonNpi('1/1'),
  defaultAlphabet: { enum: alphabets, default: 'gsm7' },
  concatenation: { enum: concatenations, default: 'udh8' },
  validitySeconds: whole(0, 14 * 24 * 3600, 0),
  registeredDelivery: whole(0, 255, 1),
  parameters: {
    type: 'object',
    default: {},
    additionalProperties: {
      type: 'object',
      additionalProperties: false,
      required: ['value'],
      properties: {
        format: { enum: parameterFormats, default: 'text' },
        value: { type: 'string', minLength: 1, maxLength: 255 },
      },
    },
  },
  reportId: { enum: reportIdForms, default: 'asIs' },
  reportIdIgnoresLeadingZeros: { type: 'boolean', default: false },
  reportIdIgnoresCase: { type: 'boolean', default: false },
  unmarkedReports: { type: 'boolean', default: false },
  reportTags: {
    type: 'object',
    maxProperties: 10,
    additionalProperties: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,31}$' },
    default: {},
  },
  repeatedWithinSeconds: whole(0, 86_400, 300),
  unanswered: { enum: afterSilence, default: 'resend' },
  errorStates: { type: 'object', additionalProperties: { enum: networkStatesOf('sms') }, default: {} },
} as const satisfies Record<keyof SmppSettings, object>;

/** A name, a short code or an international number, each with its own type of number. */
export function sourceAddress(sender: string, settings: SmppSettings): Address {
  if (!/^\+?\d+$/.test(sender)) return addressOf(settings.alphanumericSource, sender);
  const digits = sender.replace('+', '');
  const isShortCode = !sender.startsWith('+') && digits.length <= 8;
  return addressOf(isShortCode ? settings.shortCodeSource : settings.msisdnSource, digits);
}

/** `phone` is E.164; the SMSC gets its digits. */
export function destinationAddress(phone: string, settings: SmppSettings): Address {
  return addressOf(settings.destination, phone.replace('+', ''));
}

/** An international number as E.164, whether the SMSC writes it with a plus, with 00 or with its digits alone. */
export function phoneOf({ number }: Address): string {
  return `+${number.replace(/^(\+|00)/, '')}`;
}

function addressOf(tonAndNpi: string, number: string): Address {
  const [ton = 0, npi = 0] = tonAndNpi.split('/').map(Number);
  return { ton, npi, number };
}

/** The relative time of SMPP 3.4 section 7.1.1.2, empty for none. */
export function validityPeriod(seconds: number): string {
  if (seconds === 0) return '';
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const days = two(seconds / 86_400);
  return `0000${days}${two((seconds % 86_400) / 3600)}${two((seconds % 3600) / 60)}${two(seconds % 60)}000R`;
}
