/** Every statement of the service passes here, on PostgreSQL and on the embedded database. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { during } from '../time/stillness.ts';
import { wallMs } from '../time/virtual-time.ts';
import { type Hit, keyOf, type Recorder, type Strike } from './boundaries.ts';
import type { IdleStatements } from './idle.ts';
import { currentInstance, type Instance } from './instance.ts';

interface Result {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

export interface Client {
  connection: { stream: { destroy: (error?: Error) => void } };
  once: (event: 'end', listener: () => void) => void;
  _ended: boolean;
}

type Query = { text: string; values?: readonly unknown[] };

interface Session {
  /** Undefined: the test's own. */
  instance: Instance | undefined;
  inTransaction: boolean;
  /** The transaction's last statement that had an effect. */
  effect: string | undefined;
  /** What the database was last told of the time, and of what it may. */
  told: string;
  readOnly: boolean;
}

/** What surrounds the statements of a run. */
export interface DatabaseState {
  embedded: boolean;
  recorder: Recorder | undefined;
  idle: IdleStatements | undefined;
  /** New sessions may only read. */
  readOnly: boolean;
  /** What the embedded database was last told: its connections share one session. */
  told: string;
}

export const state: DatabaseState = {
  embedded: false,
  recorder: undefined,
  idle: undefined,
  readOnly: false,
  told: '',
};

/** Longer than the service waits for a silent database. */
export const patienceMs = 5_000;

export const pg = createRequire(import.meta.url)('pg');
/** As node-postgres has them: past all that stands here. */
export const query: (this: Client, config: unknown, values?: unknown) => Promise<Result> =
  pg.Client.prototype.query;
export const connect: (this: Client, callback?: unknown) => Promise<unknown> | undefined =
  pg.Client.prototype.connect;
const sessions = new WeakMap<Client, Session>();
/** Connections with a statement that is not answered yet. */
export const underWay = new Set<Client>();
/** Undefined: the test's own connection. */
export const instanceOf = (client: Client): Instance | undefined => sessions.get(client)?.instance;

pg.Client.prototype.connect = function (this: Client, callback?: (error?: Error) => void) {
  const instance = currentInstance();
  sessions.set(this, { instance, inTransaction: false, effect: undefined, told: '', readOnly: false });
  instance?.owns(this.connection.stream);
  if (instance?.lives() === false) return new Promise(() => {});
  const connected = during(connect.call(this) as Promise<unknown>);
  if (callback === undefined) return connected;
  connected.then(
    () => callback(),
    (error) => callback(error),
  );
  return undefined;
};

pg.Client.prototype.query = function (this: Client, config: unknown, values?: unknown, callback?: unknown) {
  const session = sessions.get(this);
  if (session === undefined || typeof (config as { submit?: unknown }).submit === 'function')
    return query.call(this, config, values);
  const done = (typeof values === 'function' ? values : callback) as
    | ((error: unknown, result?: Result) => void)
    | undefined;
  const given = typeof values === 'function' ? undefined : (values as readonly unknown[] | undefined);
  const statement: Query =
    typeof config === 'string'
      ? { text: config, ...(given === undefined ? {} : { values: given }) }
      : (config as Query);
  const result = pass(this, session, statement);
  if (done === undefined) return result;
  result.then(
    (answer) => done(null, answer),
    (error) => done(error),
  );
  return undefined;
};

/** Past all that stands here. */
function plain(client: Client, statement: Query | string): Promise<Result> {
  underWay.add(client);
  return during(query.call(client, statement)).finally(() => underWay.delete(client));
}

async function pass(client: Client, session: Session, statement: Query): Promise<Result> {
  const { instance } = session;
  if (instance === undefined) {
    await tell(client, session);
    const verb = verbOf(statement);
    if (verb !== undefined) session.inTransaction = verb === 'begin';
    return plain(client, statement);
  }
  await instance.mayGoOn();
  const result = await struck(client, session, instance, statement);
  await instance.mayGoOn();
  return result;
}

/** Tells the database what time it is. A transaction keeps the time at which it began. */
async function tell(client: Client, session: Session): Promise<void> {
  if (session.inTransaction) return;
  if (state.readOnly && session.instance !== undefined) session.readOnly = true;
  const readOnly = state.embedded ? state.readOnly : session.readOnly;
  const news = `${wallMs()} ${readOnly}`;
  if (news === (state.embedded ? state.told : session.told)) return;
  session.told = news;
  state.told = news;
  await plain(client, {
    text: `select set_config('faults.now', $1, false), set_config('default_transaction_read_only', $2, false)`,
    values: [String(wallMs() / 1_000), readOnly ? 'on' : 'off'],
  });
}

async function struck(
  client: Client,
  session: Session,
  instance: Instance,
  statement: Query,
): Promise<Result> {
  const { recorder, idle } = state;
  const verb = verbOf(statement);
  await tell(client, session);
  if (verb === 'begin') {
    session.inTransaction = true;
    session.effect = undefined;
    return plain(client, statement);
  }
  if (verb === 'rollback') session.inTransaction = false;
  if (recorder === undefined || idle === undefined || !recorder.armed()) {
    if (verb === 'commit') session.inTransaction = false;
    const result = await plain(client, statement);
    idle?.learn(statement.text, result);
    return result;
  }
  if (verb === 'commit') return commit(client, session, instance, statement, recorder);
  if (verb !== undefined || /^\s*(savepoint|release|rollback|set|vacuum)\b/i.test(statement.text))
    return plain(client, statement);
  return crossed({ client, session, instance, statement, recorder, idle });
}

/** Of statements that begin or end a transaction. */
function verbOf({ text }: Query): 'begin' | 'commit' | 'rollback' | undefined {
  const [, verb] = /^\s*(begin|commit|rollback(?! to))\b/i.exec(text) ?? [];
  return verb?.toLowerCase() as ReturnType<typeof verbOf>;
}

interface Crossing {
  client: Client;
  session: Session;
  instance: Instance;
  statement: Query;
  recorder: Recorder;
  idle: IdleStatements;
}

/** Whether a statement has an effect is known afterwards: where a fault may strike before, it is tried first. */
async function crossed(crossing: Crossing): Promise<Result> {
  const { client, session, instance, statement, recorder, idle } = crossing;
  const key = keyOf(statement.text);
  const kind = session.inTransaction ? 'inside' : 'statement';
  const tries = recorder.mayStrikeBefore(kind, key);
  const [begin, undo, keep] = session.inTransaction
    ? ['savepoint faults_trial', 'rollback to savepoint faults_trial', 'release savepoint faults_trial']
    : ['begin', 'rollback', 'commit'];
  if (tries) await plain(client, begin);
  let result: Result;
  try {
    result = await plain(client, statement);
  } catch (error) {
    if (tries && kind === 'statement') await plain(client, undo).catch(() => {});
    throw error;
  }
  // What a process asks while it starts it asks once, and has to live with the answer.
  if (!instance.starting && idle.isIdle(statement.text, result)) {
    if (tries) await plain(client, keep);
    return result;
  }
  if (session.inTransaction) session.effect = key;
  const before = recorder.cross(kind, key, 'before', instance);
  if (before !== undefined) {
    await plain(client, undo);
    await strike(before, client, session, instance);
    await tell(client, session);
    result = await plain(client, statement);
  } else if (tries) await plain(client, keep);
  const after = recorder.cross(kind, key, 'after', instance);
  if (after !== undefined) await strike(after, client, session, instance);
  return result;
}

async function commit(
  client: Client,
  session: Session,
  instance: Instance,
  statement: Query,
  recorder: Recorder,
): Promise<Result> {
  const key = `after ${session.effect}`;
  const counts = session.effect !== undefined;
  const before = counts ? recorder.cross('commit', key, 'before', instance) : undefined;
  if (before !== undefined) await strike(before, client, session, instance);
  session.inTransaction = false;
  const result = await plain(client, statement);
  const after = counts ? recorder.cross('commit', key, 'after', instance) : undefined;
  if (after !== undefined) await strike(after, client, session, instance);
  return result;
}

async function strike(hit: Hit, client: Client, session: Session, instance: Instance): Promise<void> {
  const { inTransaction } = session;
  const cut = async (): Promise<never> => {
    // The pool has to know before the caller: it would give the dead connection to the next one.
    const ended = client._ended ? undefined : once(client as never, 'end');
    client.connection.stream.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    await ended;
    throw new Error('Connection terminated unexpectedly');
  };
  const at: Strike = {
    boundary: hit.boundary,
    instance,
    fail: async () => {
      await plain(client, failure).catch(async (error) => {
        // A commit that fails ends its transaction.
        if (inTransaction && hit.boundary.kind === 'commit') await plain(client, 'rollback');
        throw error;
      });
      throw new Error('the database did not fail');
    },
    cut,
    silence: async () => {
      await new Promise((resolve) => setTimeout(resolve, patienceMs));
      return cut();
    },
    readOnly: async () => {
      state.readOnly = true;
      if (session.inTransaction) await plain(client, 'set transaction read only');
    },
  };
  state.recorder?.strikes(hit, instance);
  await hit.strike(at);
  await instance.mayGoOn();
}

const failure = `do $$ begin raise exception 'the disk is full' using errcode = '53100'; end $$`;
