/** Makes the commands of the management document: each calls its operation, and shows the answer. */
import { filled, type Operation } from '../../contract/management.ts';
import type { CommandWords } from '../../contract/words.ts';
import type { Answer, Request } from '../../http/connections/call.ts';
import { csvParts, itemsOf, pagesOf, statementParts } from '../../http/management/pages.ts';
import { lowered, plain } from '../../http/management/words.ts';
import { own } from '../../platform/text/own.ts';
import type { Answer as Printed, Streamed } from '../line/answer.ts';
import type { Command, Context, Values } from '../line/command.ts';
import { CommandError, UsageError } from '../line/errors.ts';
import type { Field } from './field.ts';
import { fieldsOf } from './fields.ts';
import { sendInParts } from './parts.ts';
import { answerOf } from './show.ts';

type Resource = Readonly<Record<string, unknown>>;
type Query = Readonly<Record<string, string>>;

/** A command, and the call that its values make. */
export interface ManagedCommand {
  command: Command;
  operation: Operation;
  /** `before`: the resource that it changes. Throws a UsageError. */
  requestOf: (values: Values, before?: Resource, more?: Query) => Request;
}

/** How a running service is reached, for every command of the document. */
const addressOptions: Command['options'] = {
  url: {
    kind: 'text',
    about: 'address of the management API; default: TARISHI_MANAGEMENT_URL, or this machine',
  },
  'access-key': { kind: 'secret', about: 'the access key of a user', otherwise: 'TARISHI_ACCESS_KEY' },
};

/** In the order of the document. */
export function managedCommands(operations: readonly Operation[]): ManagedCommand[] {
  return operations.flatMap((operation) =>
    operation.commands.map((words) => managedCommand(operation, words, operations)),
  );
}

function managedCommand(
  operation: Operation,
  words: CommandWords,
  operations: readonly Operation[],
): ManagedCommand {
  const { args, options } = fieldsOf(operation, words);
  const fields = [...args, ...options];
  const requestOf: ManagedCommand['requestOf'] = (values, before = {}, more = {}) => {
    const body = { ...valuesAt('body', fields, values, before), ...words.sets };
    if (operation.method === 'patch' && Object.keys(body).length === 0)
      throw new UsageError(['nothing to change: give at least one option']);
    const query = { ...valuesAt('query', fields, values, before), ...more };
    const { method, path, hasBody } = operation;
    return {
      method,
      path: filled(path, valuesAt('path', fields, values, before), query),
      ...(hasBody ? { body } : {}),
    };
  };
  const required = args.filter(({ input }) => input.required && words.all === undefined);
  const optional = args.filter((one) => !required.includes(one));
  const aboutsOf = (some: typeof args) => Object.fromEntries(some.map(({ name, about }) => [name, about]));
  const command: Command = {
    words: words.words,
    alias: words.alias,
    about: words.about ?? lowered(operation.summary),
    description: plain(operation.description) || undefined,
    positionals: aboutsOf(required),
    optionalPositionals: aboutsOf(optional),
    rest: undefined,
    options: Object.assign({}, ...options.map((field) => field.options), addressOptions),
    matching: Object.fromEntries(args.map(({ name, matching }) => [name, matching])),
    prints: words.streams === undefined,
    run: async (values, context) => {
      const [argument] = args;
      if (words.all !== undefined && argument !== undefined) {
        const list = operations.find(({ id }) => id === words.all) as Operation;
        return runOnAll({ words, operation, argument, list, fields, requestOf }, values, context);
      }
      requireUsable(() => requestOf(values));
      const call = await callerOf(fields, values, context);
      const send = async (more: Query = {}) => {
        const request = () => requestOf(values, {}, more);
        if (words.splits !== undefined) return sendInParts(request(), words.splits, operation, call);
        if (!operation.needsIfMatch) return call(request());
        const resource = filled(pathOfResource(operation, operations), valuesAt('path', fields, values, {}));
        const { body, headers } = await call({ method: 'get', path: resource });
        return call({ ...requestOf(values, body as Resource, more), ifMatch: String(headers.etag) });
      };
      return run(operation, words, send, {
        limit: values.limit as number | undefined,
        of: argument && String(own(values, argument.name)),
      });
    },
  };
  return { command, operation, requestOf };
}

/** What is wrong with the command line itself is said before anything is opened; the rest depends on the resource. */
function requireUsable(makeRequest: () => Request): void {
  try {
    makeRequest();
  } catch (error) {
    if (error instanceof UsageError) throw error;
  }
}

function valuesAt(
  place: 'path' | 'query' | 'body',
  fields: readonly Field[],
  values: Values,
  before: Resource,
): Record<string, unknown> {
  const given = fields
    .filter(({ input }) => input.in === place)
    .map(({ input, read }) => [input.name, read(values, before)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Where what an operation changes is shown: at its path, or the nearest above it. */
function pathOfResource({ id, path }: Operation, operations: readonly Operation[]): string {
  for (let place = path; place !== ''; place = place.slice(0, place.lastIndexOf('/')))
    if (operations.some((one) => one.method === 'get' && one.path === place)) return place;
  throw new Error(`${id} changes a version of something that no operation shows`);
}

/** The call rejects with what the service says is wrong. */
async function callerOf(fields: readonly Field[], values: Values, context: Context) {
  const { url, 'access-key': accessKey } = values as Record<string, string | undefined>;
  const service = await context.service({ url, accessKey });
  return async (request: Request): Promise<Answer> => {
    const answer = await service.call(request);
    if (answer.status >= 400) throw refusalOf(answer, fields);
    return answer;
  };
}

async function run(
  operation: Operation,
  words: CommandWords,
  send: (more?: Query) => Promise<Answer>,
  { limit, of }: { limit: number | undefined; of: string | undefined },
): Promise<Printed | Streamed> {
  const { answer: schema, method, inputs } = operation;
  if (words.streams !== undefined) {
    const pages = pagesOf(send);
    // What is wrong is said before anything is written.
    const first = await pages.next();
    return { parts: (words.streams === 'csv' ? csvParts : statementParts)(first, pages) };
  }
  if (method === 'get' && schema.properties?.items !== undefined) {
    const paged = inputs.some(({ name }) => name === 'cursor');
    const { items, more } = await itemsOf(send, paged ? { most: limit ?? words.limit } : undefined);
    const note = more ? 'There are more: --limit shows them.' : words.note;
    return answerOf({ ...words, ...(note === undefined ? {} : { note }) }, schema, undefined, items);
  }
  const body = words.repeats === undefined ? (await send()).body : await repeated(words.repeats, send);
  const { items, ...properties } = (body ?? {}) as { items?: unknown[]; [name: string]: unknown };
  const failure = words.fails === undefined ? undefined : own(properties, words.fails);
  if (failure !== undefined) throw new CommandError(`${of}: ${failure}`);
  return answerOf(words, schema, body, items);
}

/** Until nothing is left, or a limit ends it after the first time; numbers are added up. */
async function repeated(more: string, send: () => Promise<Answer>): Promise<Record<string, unknown>> {
  const total: Record<string, unknown> = {};
  for (let time = 0; ; time += 1) {
    const body = await send().then(
      (answer) => answer.body as Record<string, unknown>,
      (error: unknown) => {
        if (time === 0 || !(error instanceof CommandError)) throw error;
        return undefined;
      },
    );
    if (body === undefined) return total;
    let added = 0;
    for (const [name, value] of Object.entries(body)) {
      if (typeof value === 'number') added += value;
      total[name] = typeof value === 'number' ? Number(own(total, name) ?? 0) + value : value;
    }
    if (own(body, more) !== true || added === 0) return total;
  }
}

interface OnAll {
  operation: Operation;
  words: CommandWords;
  argument: { name: string };
  list: Operation;
  fields: readonly Field[];
  requestOf: ManagedCommand['requestOf'];
}

/** The call for one id, or for each that the list has. */
async function runOnAll(
  { operation, words, argument: { name }, list, fields, requestOf }: OnAll,
  values: Values,
  context: Context,
): Promise<Printed> {
  const all = values.all === true;
  if (all === (own(values, name) !== undefined)) throw new UsageError([`give either a <${name}> or --all`]);
  const call = await callerOf(fields, values, context);
  const listed = (more: Query = {}) => call({ method: 'get', path: filled(list.path, {}, more) });
  const ids = all
    ? (await itemsOf(listed, { most: undefined })).items.map(({ id }) => String(id))
    : [String(own(values, name))];
  const changed: unknown[] = [];
  for (const id of ids) changed.push((await call(requestOf({ ...values, [name]: id }))).body);
  const columns = words.columns ?? operation.answer['x-columns'];
  return answerOf(
    { ...words, ...(columns === undefined ? {} : { columns }) },
    operation.answer,
    undefined,
    changed,
  );
}

/** What the API found wrong, in the words of the command: a UsageError if the values are wrong by themselves, otherwise a CommandError. */
function refusalOf({ status, body }: Answer, fields: readonly Field[]): CommandError | UsageError {
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
