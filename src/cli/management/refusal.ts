/** Says what the management API found wrong, in the words of the command. */

import type { Answer } from '../../http/connections/call.ts';
import { CommandError, UsageError } from '../line/errors.ts';
import type { Field } from './field.ts';

/** A UsageError if the values are wrong by themselves, otherwise a CommandError. */
export function refusalOf({ status, body }: Answer, fields: readonly Field[]): CommandError | UsageError {
  const { desc, error_description: described } = (body ?? {}) as {
    desc?: string;
    error_description?: string;
  };
  const sentences = desc ?? described ?? `the service responded with ${status}`;
  if (status !== 400) return new CommandError(sentences);
  return new UsageError(sentences.split('\n').map((sentence) => inWordsOf(sentence, fields)));
}

/** A sentence that begins with the property that is wrong begins with its option instead. */
function inWordsOf(sentence: string, fields: readonly Field[]): string {
  const [, name, place = '', rest = ''] =
    /^(?:Query parameter |\/)?([A-Za-z]+)(\/\S*)?( .*)$/s.exec(sentence) ?? [];
  const field = fields.find(({ input }) => input.name === name);
  if (field === undefined) return sentence;
  return `${field.shownAs}${place === '' || /^\/\d+$/.test(place) ? '' : ` at ${place}`}${rest}`;
}
