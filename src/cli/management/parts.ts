/** Sends a text that is longer than one call takes in parts, each of whole lines. */

import type { Operation } from '../../contract/management.ts';
import type { CommandWords } from '../../contract/words.ts';
import { jsonBodyLimitBytes } from '../../http/bounds.ts';
import type { Answer, Request } from '../../http/connections/call.ts';
import { startProgress } from '../../platform/progress.ts';
import { own } from '../../platform/text/own.ts';
import { UsageError } from '../line/errors.ts';

type Splits = NonNullable<CommandWords['splits']>;

/** The answer is that to the last part. A part that was sent before changes nothing. */
export async function sendInParts(
  request: Request,
  splits: Splits,
  operation: Operation,
  call: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  const [first = request, ...others] = partsOf(request, splits, operation);
  const total = others.length + 1;
  const progress = startProgress(total === 1 ? 0 : total, 'parts');
  try {
    let answer = await call(first);
    for (const [place, part] of others.entries()) {
      progress.at(place + 1);
      answer = await call(part);
    }
    return answer;
  } finally {
    progress.end();
  }
}

/** The calls for all of the text; just the one, if it fits or says itself which part it is. */
function partsOf(request: Request, { text: name, number, total }: Splits, { inputs }: Operation): Request[] {
  const body = request.body as Record<string, unknown>;
  const most = inputs.find((one) => one.name === number)?.schema.maximum ?? 1;
  const partBytes =
    jsonBodyLimitBytes -
    jsonBytes({ ...body, [name]: '', [number]: most, ...(total === undefined ? {} : { [total]: most }) });
  const text = String(own(body, name));
  if (own(body, number) !== undefined || jsonBytes(text) - quotesBytes <= partBytes) return [request];
  const parts = linesInParts(text, partBytes);
  if (parts.length > most) throw new UsageError([`the file is longer than ${most} parts of 1 MiB`]);
  const all = total === undefined ? {} : { [total]: parts.length };
  return parts.map((part, place) => ({
    ...request,
    body: { ...body, [name]: part, [number]: place + 1, ...all },
  }));
}

/** Bodies are limited in bytes, and JSON writes a line break and many other characters in several. */
const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const quotesBytes = 2;

/** Whole lines: half a line could be another number. */
function linesInParts(text: string, partBytes: number): string[] {
  const parts: string[] = [];
  let [start, end, bytes] = [0, 0, 0];
  let place = 0;
  for (const [line] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g)) {
    place += 1;
    const lineBytes = jsonBytes(line) - quotesBytes;
    if (lineBytes > partBytes)
      throw new UsageError([`line ${place} is longer than 1 MiB: write one number on each line`]);
    if (bytes + lineBytes > partBytes) {
      parts.push(text.slice(start, end));
      [start, bytes] = [end, 0];
    }
    end += line.length;
    bytes += lineBytes;
  }
  return [...parts, text.slice(start)];
}
