/** Sends a text that is longer than one call takes in parts, each of whole lines. */
import type { Answer, Request } from '../../http/connections/call.ts';
import type { CommandWords, Operation } from '../../http/management/document.ts';
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
function partsOf(request: Request, { text: name, number }: Splits, { inputs }: Operation): Request[] {
  const body = request.body as Record<string, unknown>;
  const schemaOf = (property: string) => inputs.find((one) => one.name === property)?.schema;
  const text = String(own(body, name));
  const longest = schemaOf(name)?.maxLength ?? text.length;
  if (own(body, number) !== undefined || text.length <= longest) return [request];
  const parts = linesInParts(text, longest);
  const most = schemaOf(number)?.maximum ?? parts.length;
  if (parts.length > most)
    throw new UsageError([`the file is longer than ${most} parts of ${longest} characters`]);
  return parts.map((part, place) => ({ ...request, body: { ...body, [name]: part, [number]: place + 1 } }));
}

/** A line that is longer than a part is cut: it is no number. */
function linesInParts(text: string, longest: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const most = start + longest;
    const end = most >= text.length ? text.length : text.lastIndexOf('\n', most - 1) + 1;
    parts.push(text.slice(start, end > start ? end : most));
    start = end > start ? end : most;
  }
  return parts;
}
