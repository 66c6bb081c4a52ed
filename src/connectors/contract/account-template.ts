/** A message template of an account at a chat-app network, in no network's form. */
import type { Definition } from '../../products/chatapp/templates/definition.ts';
import type { ApprovalStatus } from './inbound.ts';

export interface AccountTemplate {
  name: string;
  language: string;
  approvalStatus: ApprovalStatus;
  /** What the network said when it decided. */
  comment?: string;
  /** `problem`: why it cannot be used here, in plain words. */
  content: { definition: Definition } | { problem: string };
}

/** All templates of an account, or why they could not be read. */
export type AccountTemplates = { templates: readonly AccountTemplate[] } | { problem: string };
