/** Commands for connectors: their settings, secrets and condition. */
import { readFileSync } from 'node:fs';
import { placeOf } from '../clients/secrets.ts';
import { connectorKinds, isKindName, type KindName } from '../connectors/runtime/kinds.ts';
import {
  insertConnector,
  pauseConnector,
  resumeConnector,
  updateConnector,
  usesOfConnectors,
} from '../connectors/runtime/management-repository.ts';
import { createConnectorRepository, type StoredConnector } from '../connectors/runtime/repository.ts';
import { checkSecretNames, checkSettings } from '../connectors/runtime/settings.ts';
import { seenConnectors } from '../connectors/runtime/state-repository.ts';
import { connectorSecretsIn } from '../process/dependencies.ts';
import type { Answer } from './answer.ts';
import { CommandError, type Context, command, type Option, type Values } from './command.ts';
import { changedSettings, parseSettings, type WrittenSettings } from './written-settings.ts';

const nameRule = /^[a-z0-9][a-z0-9-]{0,31}$/;
const name = { connector: 'name of the connector' };

/** The secrets of all kinds as option names: `callbackSecret` is `--callback-secret-file`. */
const secretNames = [
  ...new Set(Object.values(connectorKinds).flatMap(({ secretNames }) => [...secretNames])),
];
const optionOf = (secret: string) => secret.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const secretOptions: Record<string, Option & { kind: 'secret' }> = Object.fromEntries(
  secretNames.map((secret) => {
    const kinds = Object.entries(connectorKinds).filter(([, kind]) => kind.secretNames.includes(secret));
    const about = `its ${secret} (${kinds.map(([kind]) => kind).join(', ')})`;
    return [optionOf(secret), { kind: 'secret', about }];
  }),
);

const settingOptions = {
  settings: { kind: 'text', value: 'file', about: 'JSON file with settings' },
  set: { kind: 'list', value: 'name=value', about: 'one setting; use dotted names for its parts' },
} as const;

export const connectorCommands = [
  command({
    words: 'connector add',
    about: 'add a connector',
    positionals: { connector: 'name of the new connector' },
    options: {
      kind: { kind: 'text', about: 'connector kind', choices: Object.keys(connectorKinds), required: true },
      ...settingOptions,
      ...secretOptions,
    },
    async run({ connector, kind, settings, set, ...secrets }, context) {
      if (!nameRule.test(connector))
        throw new CommandError('the name of a connector has up to 32 lowercase letters, digits and -');
      const checked = checkedSettings(kind as KindName, {}, { settings, set, unset: [] });
      const sealed = await sealedSecrets(
        { name: connector, kind: kind as KindName, secrets: null },
        secrets,
        context,
      );
      const { knex } = await context.database();
      if (!(await insertConnector(knex, connector, kind, { settings: checked, secrets: sealed })))
        throw new CommandError(`connector ${connector} already exists`);
      return withNote({ one: { connector, kind } }, [warningOf(connector, kind, checked)]);
    },
  }),
  command({
    words: 'connector set',
    about: 'change settings or secrets of a connector; running services apply them within seconds',
    positionals: name,
    options: {
      ...settingOptions,
      unset: { kind: 'list', value: 'name', about: 'a setting to reset to its default' },
      ...secretOptions,
    },
    async run({ connector, settings, set, unset, ...secrets }, context) {
      const stored = await existing(connector, context);
      const checked = checkedSettings(stored.kind, stored.settings, { settings, set, unset });
      const sealed = await sealedSecrets(stored, secrets, context);
      const { knex } = await context.database();
      const change = { settings: checked, secrets: sealed };
      if (!(await updateConnector(knex, connector, stored.version, change)))
        throw new CommandError(`${connector} was changed at the same time: check it and try again`);
      return withNote({ one: { connector, kind: stored.kind } }, [
        warningOf(connector, stored.kind, checked),
      ]);
    },
  }),
  command({
    words: 'connector list',
    about: 'list the connectors with their condition and routes',
    async run(_values, context) {
      const { knex } = await context.database();
      const uses = await usesOfConnectors(knex);
      const stored = await createConnectorRepository(knex).load();
      const warnings = stored.map(({ name, kind, settings }) => warningOf(name, kind, settings));
      const list = (await seenConnectors(knex)).map(({ name, kind, condition, reason, ...counts }) => ({
        connector: name,
        kind,
        condition,
        reason,
        bound: counts.binds === null ? null : `${counts.bound} of ${counts.binds}`,
        inFlight: counts.window === null ? null : `${counts.inFlight} of ${counts.window}`,
        rate: counts.ratePerSecond,
        uses: uses.get(name) ?? [],
      }));
      return withNote({ list }, warnings);
    },
  }),
  command({
    words: 'connector show',
    about: 'show the settings of a connector and the names of its secrets',
    positionals: name,
    async run({ connector }, context) {
      const { settings, secrets } = await existing(connector, context);
      const has = secrets === null ? {} : await openSecrets(connector, secrets, context);
      return {
        list: [
          ...Object.entries(settings).map(([setting, value]) => ({
            setting,
            value: typeof value === 'object' ? JSON.stringify(value) : String(value),
          })),
          ...Object.keys(has).map((setting) => ({ setting, value: '(secret)' })),
        ],
      };
    },
  }),
  command({
    words: 'connector pause',
    about: 'stop submitting messages through a connector; they wait until it is resumed or they expire',
    positionals: name,
    options: { reason: { kind: 'text', about: 'reason, shown in connector list' } },
    async run({ connector, reason }, context) {
      const { knex } = await context.database();
      if (!(await pauseConnector(knex, connector, reason ?? 'paused by an operator')))
        throw missing(connector);
      return { one: { connector, condition: 'paused' } };
    },
  }),
  command({
    words: 'connector resume',
    about: 'submit messages through a connector again',
    positionals: name,
    async run({ connector }, context) {
      const { knex } = await context.database();
      if (!(await resumeConnector(knex, connector))) throw missing(connector);
      return { one: { connector, condition: 'resumed' } };
    },
  }),
];

/** Undefined if there is no warning, and for invalid settings: `list` shows those as faulty. */
function warningOf(connector: string, kind: string, settings: WrittenSettings): string | undefined {
  if (!isKindName(kind)) return undefined;
  try {
    const warning = connectorKinds[kind].warning?.(checkSettings(connectorKinds[kind], settings));
    return warning === undefined ? undefined : `warning: ${connector} ${warning}`;
  } catch {
    return undefined;
  }
}

function withNote(answer: Answer, warnings: readonly (string | undefined)[]): Answer {
  const note = warnings.filter((warning) => warning !== undefined).join('\n');
  return note === '' ? answer : { ...answer, note };
}

const missing = (connector: string) => new CommandError(`connector ${connector} does not exist`);

async function existing(connector: string, context: Context): Promise<StoredConnector & { kind: KindName }> {
  const { knex } = await context.database();
  const stored = (await createConnectorRepository(knex).load()).find(({ name }) => name === connector);
  if (stored === undefined) throw missing(connector);
  if (!isKindName(stored.kind)) throw new CommandError(`${connector} has an unknown kind: ${stored.kind}`);
  return { ...stored, kind: stored.kind };
}

/** The settings to store: only explicit ones, so that defaults can change. */
function checkedSettings(
  kind: KindName,
  before: WrittenSettings,
  { settings, set, unset }: { settings: string | undefined; set: string[]; unset: string[] },
): WrittenSettings {
  const file = settings === undefined ? {} : parseSettings(readText(settings));
  const written = changedSettings({ ...before, ...file }, set, unset);
  try {
    const checked = checkSettings(connectorKinds[kind], written) as WrittenSettings;
    return Object.fromEntries(Object.keys(written).map((name) => [name, checked[name]]));
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`the settings cannot be read: ${(error as Error).message}`);
  }
}

/** The stored secrets, with the new ones encrypted and added. */
async function sealedSecrets(
  { name, kind, secrets: before }: { name: string; kind: KindName; secrets: string | null },
  given: Values,
  context: Context,
): Promise<string | null> {
  const fresh = secretNames.flatMap((secret) => {
    const value = given[optionOf(secret)];
    return value === undefined ? [] : [[secret, value] as const];
  });
  if (fresh.length === 0) return before;
  try {
    checkSecretNames(
      connectorKinds[kind],
      fresh.map(([secret]) => secret),
    );
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
  const old = before === null ? {} : await openSecrets(name, before, context);
  const all = JSON.stringify({ ...old, ...Object.fromEntries(fresh) });
  return (await context.secrets()).encrypt(all, placeOf.connectorSecrets(name));
}

async function openSecrets(
  connector: string,
  sealed: string,
  context: Context,
): Promise<Record<string, string>> {
  return connectorSecretsIn(await context.secrets())(sealed, connector);
}
