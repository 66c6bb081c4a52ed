/** Renders a line of the log for people: the time, what happened, and the fields that say more. */
import { stripVTControlCharacters, styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

const levels: Readonly<Record<number, [name: string, style: Style]>> = {
  10: ['trace', 'gray'],
  20: ['debug', 'gray'],
  40: ['warning', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};

interface Line {
  level: number;
  time: number;
  msg?: string;
  err?: { type?: string; message?: string; frames?: string[] };
  [field: string]: unknown;
}

/** `json` is one line as it is written elsewhere. In colour where the standard output is a terminal that has some. */
export function textOf(json: string): string {
  const { level, time, msg = '', err, ...fields } = inShort(JSON.parse(json));
  const [name, style] = levels[level] ?? [];
  const parts = [
    styled('gray', new Date(time).toTimeString().slice(0, 8)),
    ...(name === undefined || style === undefined ? [] : [styled(style, name)]),
    shown(msg),
    ...(err === undefined ? [] : [styled('red', `${err.type}: ${shown(err.message ?? '')}`)]),
    ...Object.entries(fields).map(([field, value]) => styled('gray', `${field}=${written(value)}`)),
  ];
  const frames = (err?.frames ?? []).map((frame) => `${styled('gray', shown(frame))}\n`);
  return `${parts.join('  ')}\n${frames.join('')}`;
}

/** A request is one glance: what was asked, how it ended, and how long it took. */
function inShort(line: Line): Line {
  if (line.msg !== 'request') return line;
  const { method, operation = '', status, ms, msg: _msg, ...rest } = line;
  return { ...rest, msg: `${method} ${operation}`.trim().concat(` ${status} in ${ms} ms`) };
}

function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

function written(value: unknown): string {
  return shown(typeof value === 'string' && /^\S+$/.test(value) ? value : JSON.stringify(value));
}

/** Nothing that a network or a client sent may control the terminal or hide part of the line. */
function shown(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\uFFFD');
}
