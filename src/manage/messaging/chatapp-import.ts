/** Imports the chat-app templates of an account at a network, with what the network decided about them. */
import type { Knex } from 'knex';
import type { AccountTemplate } from '../../connectors/contract/account-template.ts';
import { connectorKinds, isKindName } from '../../connectors/runtime/kinds.ts';
import { checkSettings } from '../../connectors/runtime/settings.ts';
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import { isItemFault, reasonOf } from '../../platform/isolation/fault.ts';
import { setApproval } from '../../products/chatapp/templates/approval-repository.ts';
import type { Definition } from '../../products/chatapp/templates/definition.ts';
import { faultsOfDefinition, parameterFormatOf } from '../../products/chatapp/templates/definition.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { decryptSecrets } from '../networks/connector-secrets.ts';
import { connectors } from '../networks/connectors.ts';
import { teamFaults } from '../resource.ts';
import { versionOf } from '../version.ts';
import { type Components, chatAppTemplates, type StoredChatAppTemplate } from './chatapp-templates.ts';

export interface ImportedTemplate {
  /** Null if it was skipped. */
  id: string | null;
  /** At the network. */
  name: string;
  language: string;
  result: 'Imported' | 'Changed' | 'Unchanged' | 'Skipped';
  /** Why it was skipped. */
  reason: string | null;
}

/**
 * Adds what the team does not have and brings the rest in line with the network, by name and language. Templates that
 * only we have stay as they are. In the order of the network.
 */
export async function importChatAppTemplates(
  management: Management,
  { teamId, connector }: { teamId: string; connector: string },
): Promise<ImportedTemplate[]> {
  requireNone(await teamFaults(management.knex, management, teamId));
  const templates = await readTemplates(management, connector);
  const results: ImportedTemplate[] = [];
  for (const template of templates) results.push(await importOne(management, teamId, template));
  return results;
}

async function readTemplates(management: Management, name: string): Promise<readonly AccountTemplate[]> {
  const stored = await connectors.rows.find(management.knex, name);
  if (stored === undefined) throw new ManagementError([faults.notFound('connector', name)]);
  const { kind, settings, secrets } = stored;
  if (!isKindName(kind)) throw new ManagementError([faults.connectorKind(name, kind)]);
  const { accountTemplates } = connectorKinds[kind];
  if (accountTemplates === undefined)
    throw new ManagementError([faults.connectorProduct(name, 'has no templates', kind)]);
  const opened = decryptSecrets(await management.secrets(), name, secrets);
  const read = await accountTemplates(
    checkSettings(connectorKinds[kind], settings),
    opened,
    management.clock,
  );
  if ('problem' in read) throw new ManagementError([faults.templatesUnreadable(name, read.problem)]);
  return read.templates;
}

async function importOne(
  management: Management,
  teamId: string,
  template: AccountTemplate,
): Promise<ImportedTemplate> {
  const { name, language, content } = template;
  if ('problem' in content) return skipped(template, content.problem);
  const [fault] = [...labelFaults(name, language), ...faultsOfDefinition(content.definition)];
  if (fault !== undefined) return skipped(template, fault);
  try {
    return await storeImported(management, teamId, template, content.definition);
  } catch (error) {
    // Nothing that one template holds keeps the others out.
    if (!isItemFault(error)) throw error;
    return skipped(template, `it cannot be stored: ${reasonOf(error)}`);
  }
}

/** What the schema says of templates that operators write. */
function labelFaults(name: string, language: string): string[] {
  return [
    ...(/^[a-z0-9_]{1,512}$/.test(name) ? [] : ['name must be lowercase letters, digits and _']),
    ...(/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language) ? [] : ['language must be such as en, en_US or sw']),
  ];
}

function skipped({ name, language }: AccountTemplate, reason: string): ImportedTemplate {
  return { id: null, name, language, result: 'Skipped', reason };
}

async function storeImported(
  management: Management,
  teamId: string,
  template: AccountTemplate,
  definition: Definition,
): Promise<ImportedTemplate> {
  const { name, language } = template;
  return management.knex.transaction(async (trx) => {
    const before = await findNamed(trx, { teamId, name, language });
    const id = before?.id ?? (await insertNamed(trx, teamId, template, definition));
    if (id === undefined) return skipped(template, 'every id that it could have is in use');
    if (before !== undefined) await bringInLine(trx, before, template, definition);
    const after = (await chatAppTemplates.rows.find(trx, id)) ?? null;
    const same = before !== undefined && versionOf(before) === versionOf(after ?? {});
    if (!same)
      await audit(trx, management, {
        action: 'import',
        noun: 'chat-app template',
        id,
        team: teamId,
        before: before ?? null,
        after,
      });
    const result = before === undefined ? 'Imported' : same ? 'Unchanged' : 'Changed';
    return { id, name, language, result, reason: null };
  });
}

const longestId = 64;

/** The network knows a template by name and language; another team may have the same one of the same account. */
async function insertNamed(
  trx: Knex,
  teamId: string,
  { name, language, approvalStatus, comment }: AccountTemplate,
  definition: Definition,
): Promise<string | undefined> {
  const ids = [`${name}-${language}`, `${name}-${language}-${teamId}`].filter((id) => id.length <= longestId);
  for (const id of ids) {
    const added = await chatAppTemplates.rows.insert(trx, {
      id,
      teamId,
      name,
      language,
      approvalStatus,
      ...columnsOf(definition),
    });
    if (!added) continue;
    await setApproval(trx, id, approvalStatus, comment);
    return id;
  }
  return undefined;
}

async function bringInLine(
  trx: Knex,
  before: StoredChatAppTemplate,
  { approvalStatus, comment }: AccountTemplate,
  definition: Definition,
): Promise<void> {
  const redefined = await chatAppTemplates.rows.update(trx, before, columnsOf(definition));
  if (redefined || before.approvalStatus !== approvalStatus)
    await setApproval(trx, before.id, approvalStatus, comment);
}

function columnsOf({ category, ...components }: Definition) {
  const given = Object.entries(components).filter(([, value]) => value !== undefined);
  return {
    category,
    components: Object.fromEntries(given) as Components,
    parameterFormat: parameterFormatOf({ category, ...components }),
  };
}

/** As the network knows it, with its lock held; the oldest if operators added several. */
async function findNamed(
  trx: Knex,
  named: Pick<StoredChatAppTemplate, 'teamId' | 'name' | 'language'>,
): Promise<StoredChatAppTemplate | undefined> {
  const { teamId, name, language } = named;
  const oldest = await trx('chatapp_templates')
    .where({ team_id: teamId, name, language })
    .orderBy(['created_at', 'id'])
    .forUpdate()
    .first('id');
  return oldest && chatAppTemplates.rows.find(trx, oldest.id);
}
