/** Every operation of the management document has its commands, and each command makes the call that its words say. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { managementOperations } from '../../contract/management.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { readArguments } from '../line/arguments.ts';
import { UsageError } from '../line/errors.ts';
import { callsWith } from './calls-testing.ts';
import { managedCommands } from './commands.ts';

const operations = managementOperations();
const commands = managedCommands(operations);
const folder = mkdtempSync(join(tmpdir(), 'tarishi-commands-'));
const components = { body: { text: 'Habari' }, buttons: [] };
const file = join(folder, 'file.json');
writeFileSync(file, JSON.stringify(components));

const calls = callsWith(file, components);

/** The longest words that the line begins with: one command may be the beginning of another. */
function commandOf(line: string) {
  const found = commands.find(({ command }) => `${line} `.startsWith(`${command.words} `));
  if (found === undefined) throw new Error(`no command ${line}`);
  return found;
}

test('every operation has a command, and every command a call below', () => {
  expect(operations.filter(({ commands: words }) => words.length === 0).map(({ id }) => id)).toEqual([]);
  const tried = new Set(calls.map(([line]) => commandOf(line).command.words));
  expect(commands.map(({ command }) => command.words).filter((words) => !tried.has(words))).toEqual([]);
});

testEvery(calls)('%s makes the call that it says', (line, call, body) => {
  const { command, requestOf } = commandOf(line);
  const { values } = readArguments(command, line.split(' ').slice(command.words.split(' ').length));
  const request = requestOf(values, { settings: { kept: 1, old: 2 } });
  expect([`${request.method.toUpperCase()} ${request.path}`, request.body]).toEqual([call, body]);
});

testEvery<[string, string | RegExp]>([
  ['client set shop', 'nothing to change: give at least one option'],
  ['client set shop --rate 5 --default-rate', '--rate and --default-rate cannot be combined'],
  ['client set shop --address ::1 --any-address', '--address and --any-address cannot be combined'],
  ['connector add wa --kind whatsapp --window 3', '--window is a setting of smpp, not of whatsapp'],
  ['user set amina --enabled --no-enabled', '--enabled and --no-enabled cannot be combined'],
  [
    'template set code --no-params --param code',
    '--no-params cannot be combined with --param, --optional or --default',
  ],
  ['team set acme --operation-rate a=1 --operation-rate a=2', '--operation-rate a is given more than once'],
  [
    'team set acme --operation-rate sendSms',
    '--operation-rate must be a name and a number, such as sendSms=50',
  ],
  ['client add shop! --rate 5', '<client> must be like orders: ^[A-Za-z0-9_-]{1,64}$'],
  ['team set acme --rate 0 --text-days 4000', '--rate must be a whole number from 1 to 1000000'],
  ['campaign set gift --expires 2099-01-31', /^--expires must be a date and time with a time zone, such as/],
  ['topup acme --product Fax', '--product must be one of Sms, MobileData, ChatApp'],
])('%s is refused before any call', (line, sentence) => {
  const { command, requestOf } = commandOf(line);
  const refuse = () =>
    requestOf(readArguments(command, line.split(' ').slice(command.words.split(' ').length)).values);
  expect(refuse).toThrow(UsageError);
  expect(refuse).toThrow(sentence);
});
