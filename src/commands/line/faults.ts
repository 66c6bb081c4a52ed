/** Says in the words of a command what is wrong with a change. */
import { type Fault, ManagementError } from '../../errors/management.ts';
import { type Command, CommandError, UsageError } from './command.ts';

/** Options that are not called like the field that they set. */
const optionOf: Readonly<Record<string, string>> = {
  teamId: 'team',
  serviceId: 'service',
  scopes: 'scope',
  allowedAddresses: 'address',
  webOrigins: 'origin',
  ratePerSecond: 'rate',
  operationRates: 'operation-rate',
  validitySeconds: 'validity',
  allowedDenominations: 'denomination',
  expiresAt: 'expires',
  managedServiceKey: 'sender',
  prefixes: 'prefix',
  afterMinutes: 'after',
};

/** Rewrites management errors in the words of the command line; returns all other errors unchanged. */
export function inWordsOf(command: Command, error: unknown): unknown {
  if (!(error instanceof ManagementError)) return error;
  const sentences = error.faults.map((fault) => sentenceOf(command, fault));
  return error.faults.some(({ kind }) => kind === 'invalid')
    ? new UsageError(sentences)
    : new CommandError(sentences.join('\n'));
}

function sentenceOf(
  { options, positionals, optionalPositionals }: Command,
  { field, sentence }: Fault,
): string {
  if (field === undefined) return sentence;
  const option = optionOf[field] ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (Object.hasOwn(options, option)) return `--${option} ${sentence}`;
  const [positional = field] = Object.keys({ ...positionals, ...optionalPositionals });
  return `<${positional}> ${sentence}`;
}
