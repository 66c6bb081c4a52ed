/** Imports the chat-app templates of an account at a network, with what the network decided about them. */
import type { Knex } from 'knex';
import type { Definition } from '../../chatapp/templates/definition.ts';
import { faultsOfDefinition, parameterFormatOf } from '../../chatapp/templates/definition.ts';
import {
  findTemplateByName,
  insertTemplate,
  type StoredTemplate,
  setApproval,
  updateTemplate,
} from '../../chatapp/templates/template-repository.ts';
import type { AccountTemplate } from '../../connectors/contract/account-template.ts';
import { connectorKinds, isKindName } from '../../connectors/runtime/kinds.ts';
import { findConnector } from '../../connectors/runtime/management-repository.ts';
import { checkSettings } from '../../connectors/runtime/settings.ts';
import { faults, ManagementError, requireNone } from '../../errors/management.ts';
import { isItemFault, reasonOf } from '../../isolation/fault.ts';
import { audit } from '../audit.ts';
import type { Management } from '../management.ts';
import { decryptSecrets } from '../networks/connector-secrets.ts';
import { teamFaults } from '../resource.ts';
import { rules, textFaults } from '../rules.ts';
import { versionOf } from '../version.ts';
import { templateView } from './chatapp-templates.ts';

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
  const stored = await findConnector(management.knex, name);
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
  const found = [
    ...textFaults('name', name, rules.networkTemplateName),
    ...textFaults('language', language, rules.language),
  ].map(({ field, sentence }) => `${field} ${sentence}`);
  const [fault] = [...found, ...faultsOfDefinition(content.definition)];
  if (fault !== undefined) return skipped(template, fault);
  try {
    return await storeImported(management, teamId, template, content.definition);
  } catch (error) {
    // Nothing that one template holds keeps the others out.
    if (!isItemFault(error)) throw error;
    return skipped(template, `it cannot be stored: ${reasonOf(error)}`);
  }
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
    const before = await findTemplateByName(trx, { teamId, name, language });
    const id = before?.id ?? (await insertNamed(trx, teamId, template, definition));
    if (id === undefined) return skipped(template, 'every id that it could have is in use');
    if (before !== undefined) await bringInLine(trx, before, template, definition);
    const after = await findTemplateByName(trx, { teamId, name, language });
    const [viewBefore, view] = [before ?? null, after ?? null].map((one) => one && templateView(one));
    const same = before !== undefined && versionOf(viewBefore ?? {}) === versionOf(view ?? {});
    if (!same)
      await audit(trx, management, {
        action: 'import',
        noun: 'chat-app template',
        id,
        team: teamId,
        before: viewBefore ?? null,
        after: view ?? null,
      });
    const result = before === undefined ? 'Imported' : same ? 'Unchanged' : 'Changed';
    return { id, name, language, result, reason: null };
  });
}

/** The network knows a template by name and language; another team may have the same one of the same account. */
async function insertNamed(
  trx: Knex,
  teamId: string,
  { name, language, approvalStatus, comment }: AccountTemplate,
  definition: Definition,
): Promise<string | undefined> {
  const ids = [`${name}-${language}`, `${name}-${language}-${teamId}`].filter((id) => rules.id.rule.test(id));
  for (const id of ids) {
    const added = await insertTemplate(trx, {
      ...definition,
      ...{ id, teamId, name, language },
      parameterFormat: parameterFormatOf(definition),
      status: 'Active',
      approvalStatus,
    });
    if (!added) continue;
    await setApproval(trx, id, approvalStatus, comment);
    return id;
  }
  return undefined;
}

async function bringInLine(
  trx: Knex,
  before: StoredTemplate,
  { approvalStatus, comment }: AccountTemplate,
  definition: Definition,
): Promise<void> {
  const { header, body, footer, buttons, limitedTimeOffer, carousel, category } = before;
  const stored = { header, body, footer, buttons, limitedTimeOffer, carousel, category };
  const isDefined = versionOf(withoutUndefined(stored)) === versionOf(withoutUndefined(definition));
  if (!isDefined)
    await updateTemplate(trx, before.id, {
      ...definition,
      parameterFormat: parameterFormatOf(definition),
      name: undefined,
      language: undefined,
    });
  if (!isDefined || before.approvalStatus !== approvalStatus)
    await setApproval(trx, before.id, approvalStatus, comment);
}

function withoutUndefined(all: object): object {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
