/** Reads lines of a table of ported numbers: which column has the number, and which its network. */
import type { PhoneParser } from './parse.ts';

export interface PortedColumns {
  /** As the first line of the table names them. */
  number: string;
  channel: string;
}

/** What is told about a table whose first line lacks a column. */
export class ColumnFault extends Error {}

export interface PortedFormat {
  separator: string;
  numberPlace: number;
  channelPlace: number;
}

/** Of its first line. Throws ColumnFault when a column is missing. */
export function formatOf(header: string, { number, channel }: PortedColumns): PortedFormat {
  const separator = /[,;\t|]/.exec(header)?.[0] ?? ',';
  const names = header
    .replace(/^\ufeff/, '')
    .split(separator)
    .map(plain);
  const placeOf = (name: string) => {
    const place = names.indexOf(name);
    if (place < 0)
      throw new ColumnFault(`the first line has no column "${name}"; it has ${names.join(', ')}`);
    return place;
  };
  return { separator, numberPlace: placeOf(number), channelPlace: placeOf(channel) };
}

/** The number, without its plus, and what is written for its network; undefined: there is no valid number. */
export function readLine(
  line: string,
  { separator, numberPlace, channelPlace }: PortedFormat,
  parsePhone: PhoneParser,
): { number: number; network: string } | undefined {
  const fields = line.split(separator);
  const written = plain(fields[numberPlace] ?? '');
  const phone = parsePhone(written) ?? parsePhone(`0${written}`);
  return phone === undefined
    ? undefined
    : { number: Number(phone.slice(1)), network: plain(fields[channelPlace] ?? '') };
}

const plain = (field: string) =>
  field
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replaceAll('""', '"')
    .trim();
