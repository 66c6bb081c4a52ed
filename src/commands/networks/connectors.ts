/** Commands for connectors: their settings, secrets and condition. */
import { readFileSync } from 'node:fs';
import { connectorKinds } from '../../connectors/runtime/kinds.ts';
import type { ConnectorSecrets } from '../../manage/networks/connector-secrets.ts';
import { connectorKindNames } from '../../manage/networks/connector-settings.ts';
import {
  changeConnector,
  createConnector,
  getConnector,
  listConnectors,
  pauseConnector,
  removeConnector,
  resumeConnector,
} from '../../manage/networks/connectors.ts';
import { testConnector } from '../../manage/networks/test-connector.ts';
import { withWarnings } from '../line/answer.ts';
import { CommandError, command, type Option, type Values } from '../line/command.ts';
import { changedSettings, parseSettings, type WrittenSettings } from './written-settings.ts';

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
      kind: { kind: 'text', about: 'connector kind', choices: connectorKindNames, required: true },
      ...settingOptions,
      ...secretOptions,
    },
    async run({ connector, kind, settings, set, ...secrets }, context) {
      const made = await createConnector(await context.management(), {
        name: connector,
        kind,
        settings: settingsOf({}, { settings, set, unset: [] }),
        secrets: secretsOf(secrets),
      });
      return withWarnings({ one: { connector, kind } }, warningsOf(made));
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
      const management = await context.management();
      const before = await getConnector(management, connector);
      const changed = await changeConnector(management, connector, {
        settings: settingsOf(before.settings, { settings, set, unset }),
        secrets: secretsOf(secrets),
      });
      return withWarnings({ one: { connector, kind: changed.kind } }, warningsOf(changed));
    },
  }),
  command({
    words: 'connector list',
    about: 'list the connectors with their condition and routes',
    async run(_values, context) {
      const connectors = await listConnectors(await context.management());
      const list = connectors.map(({ name, kind, condition, reason, uses, ...counts }) => ({
        connector: name,
        kind,
        condition,
        reason,
        bound: counts.binds === null ? null : `${counts.bound} of ${counts.binds}`,
        inFlight: counts.window === null ? null : `${counts.inFlight} of ${counts.window}`,
        rate: counts.ratePerSecond,
        throttled: counts.throttled,
        lastError: counts.lastError,
        lastErrorAt: counts.lastErrorAt?.toISOString() ?? null,
        uses,
      }));
      return withWarnings({ list }, connectors.flatMap(warningsOf));
    },
  }),
  command({
    words: 'connector show',
    about: 'show the settings of a connector and the names of its secrets',
    positionals: name,
    async run({ connector }, context) {
      const { settings, secretNames } = await getConnector(await context.management(), connector);
      return {
        list: [
          ...Object.entries(settings).map(([setting, value]) => ({
            setting,
            value: typeof value === 'object' ? JSON.stringify(value) : String(value),
          })),
          ...secretNames.map((setting) => ({ setting, value: '(secret)' })),
        ],
      };
    },
  }),
  command({
    words: 'connector test',
    about: 'find out whether its network would take messages, without sending one; exit code 1 if not',
    positionals: name,
    async run({ connector }, context) {
      const { problem } = await testConnector(await context.management(), connector);
      if (problem !== null) throw new CommandError(`${connector}: ${problem}`);
      return { one: { connector, result: 'ok' } };
    },
  }),
  command({
    words: 'connector pause',
    about: 'stop submitting messages through a connector; they wait until it is resumed or they expire',
    positionals: name,
    options: { reason: { kind: 'text', about: 'reason, shown in connector list' } },
    async run({ connector, reason }, context) {
      await pauseConnector(await context.management(), connector, { reason });
      return { one: { connector, condition: 'paused' } };
    },
  }),
  command({
    words: 'connector resume',
    about: 'submit messages through a connector again',
    positionals: name,
    async run({ connector }, context) {
      await resumeConnector(await context.management(), connector);
      return { one: { connector, condition: 'resumed' } };
    },
  }),
  command({
    words: 'connector remove',
    about: 'remove a connector that no channel and no sender uses',
    positionals: name,
    options: {
      abandon: {
        kind: 'flag',
        about: 'even if reports on its messages are still missing; the messages become uncertain',
      },
    },
    async run({ connector, abandon }, context) {
      await removeConnector(await context.management(), connector, { abandon });
      return { one: { connector, condition: 'removed' } };
    },
  }),
];

function warningsOf({ name, warnings }: { name: string; warnings: readonly string[] }): string[] {
  return warnings.map((warning) => `${name} ${warning}`);
}

function settingsOf(
  before: WrittenSettings,
  { settings, set, unset }: { settings: string | undefined; set: string[]; unset: string[] },
): WrittenSettings {
  const file = settings === undefined ? {} : parseSettings(readText(settings));
  return changedSettings({ ...before, ...file }, set, unset);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`the settings cannot be read: ${(error as Error).message}`);
  }
}

function secretsOf(given: Values): ConnectorSecrets {
  return Object.fromEntries(
    secretNames.flatMap((secret) => {
      const value = given[optionOf(secret)];
      return typeof value === 'string' ? [[secret, value] as const] : [];
    }),
  );
}
