/** The settings of a connector to an SMSC, checked, as the document has them, and the PDU fields that follow from them. */
import type { components } from '../../../generated/management.d.ts';
import type { Address } from './wire/bodies.ts';

export type SmppSettings = components['schemas']['SmppSettings'];

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
