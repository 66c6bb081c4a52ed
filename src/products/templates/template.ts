/** The types of an SMS template and its parameters, as stored and as sent by clients. */

import type { Category } from '../../model/plan.ts';
import type { SenderUse } from '../sms/sender.ts';

export type TemplateStatus = 'Active' | 'Archived';
export type ApprovalStatus = 'PENDING' | 'APPROVED' | 'REJECTED';
export type ParamFormat = 'PlainText' | 'Alphanumeric' | 'Numeric' | 'Name';

/** The owner's rules for the values of one placeholder. */
export interface ParamDefinition {
  name: string;
  format: ParamFormat;
  /** False only beside a default: a placeholder without one always needs a value. */
  required: boolean;
  /** Unicode code points. */
  maxLength?: number;
  /** Fills the placeholder where a request gives no value. */
  default?: string;
}

export interface SmsTemplate {
  id: string;
  /** Up to 960 code points, with placeholders such as `{{name}}` or `{{1}}`. */
  content: string;
  category: Category;
  status: TemplateStatus;
  approvalStatus: ApprovalStatus;
  /** Names the managed service that sends the template, if it has one. */
  managedServiceKey?: string;
  paramDefinitions: readonly ParamDefinition[];
  /** What regulators want to know of the text, by name. */
  registrations: Readonly<Record<string, string>>;
}

/** A sender of the platform, bound to one category of templates. */
export interface ManagedService {
  key: string;
  category: Category;
  sender: string;
  uses: readonly SenderUse[];
}

/** A value for one placeholder, as a client sends it. */
export interface TemplateParameter {
  name: string;
  value: string;
}
