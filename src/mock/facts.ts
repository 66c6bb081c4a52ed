/** What the mock assumes of its caller's team: every service and campaign exists, and the demo's templates do. */
import type { SendChatAppTemplate } from '../chatapp/command.ts';
import type { ChatAppFacts } from '../chatapp/facts.ts';
import type { ChatAppTemplate } from '../chatapp/templates/template.ts';
import type { DisburseData } from '../data/command.ts';
import type { DataFacts } from '../data/facts.ts';
import { chatAppTemplates, type DemoTemplate, otherChatAppTemplates } from '../demo/chatapp-templates.ts';
import { channels as demoChannels } from '../demo/seed.ts';
import { type DemoTemplate as DemoSmsTemplate, managedServices, smsTemplates } from '../demo/sms.ts';
import { type ChannelTable, channelFinder } from '../phone/channels.ts';
import type { SendSms } from '../sms/command.ts';
import type { SmsFacts } from '../sms/facts.ts';
import type { SmsTemplate } from '../templates/template.ts';

const channels: ChannelTable = {
  names: demoChannels.map(({ name }) => name),
  find: channelFinder(demoChannels.map((channel) => ({ ...channel, connector: '' }))),
};
const serviceOf = (id: string) => ({
  id,
  sender: 'TARISHI',
  status: 'Active' as const,
  validitySeconds: null,
});
const anyAccount = '1';

export function smsFacts({ serviceId, templateId, recipients }: SendSms): SmsFacts {
  const template = templateId === undefined ? undefined : smsTemplateOf(templateId, recipients[0]?.content);
  return {
    channels,
    service: serviceOf(serviceId),
    template,
    managedService: managedServices.find(({ key }) => key === template?.managedServiceKey),
    accountId: anyAccount,
  };
}

/** A template that the demo does not have consists of the parameters that are sent. */
function smsTemplateOf(id: string, content: SendSms['recipients'][number]['content'] | undefined) {
  const known = smsTemplates.find((one) => one.id === id);
  const names = content !== undefined && 'params' in content ? content.params.map(({ name }) => name) : [];
  return known === undefined
    ? templateOf({ id, content: names.map((name) => `{{${name}}}`).join(' ') || id, category: 'UTILITY' })
    : templateOf(known);
}

function templateOf(template: DemoSmsTemplate): SmsTemplate {
  return { status: 'Active', approvalStatus: 'APPROVED', paramDefinitions: [], ...template };
}

export function dataFacts({ campaignId, recipients, smsServiceId = campaignId }: DisburseData): DataFacts {
  return {
    channels,
    campaign: {
      id: campaignId,
      status: 'Active',
      allowedDenominations: recipients.map(({ content }) => content.denomination),
      expiresAtMs: null,
    },
    validitySeconds: null,
    smsServiceId,
    smsService: serviceOf(smsServiceId),
    accountIds: new Map(),
    smsAccountId: anyAccount,
  };
}

const demoChatAppTemplates = [...Object.values(chatAppTemplates), ...otherChatAppTemplates].map(
  ({ template }) => chatAppTemplateOf(template),
);

export function chatAppFacts({ serviceId, phoneNumberId, templateId }: SendChatAppTemplate): ChatAppFacts {
  const known = demoChatAppTemplates.find(({ id }) => id === templateId);
  return {
    service: serviceOf(serviceId),
    number: { id: phoneNumberId, phone: '+254709000001' },
    template: known ?? chatAppTemplateOf({ id: templateId, category: 'UTILITY', body: { text: templateId } }),
    accounts: { MARKETING: anyAccount, UTILITY: anyAccount, AUTHENTICATION: anyAccount },
  };
}

/** A template that the demo does not have accepts any parameters: no rules are known. */
export function checkedCommand(command: SendChatAppTemplate): SendChatAppTemplate {
  const known = demoChatAppTemplates.some(({ id }) => id === command.templateId);
  return known
    ? command
    : { ...command, recipients: command.recipients.map(({ written }) => ({ written, content: [] })) };
}

function chatAppTemplateOf({ id, ...more }: DemoTemplate): ChatAppTemplate {
  return {
    name: id.replaceAll('-', '_'),
    language: 'en',
    parameterFormat: 'NAMED',
    status: 'Active',
    approvalStatus: 'APPROVED',
    buttons: [],
    ...more,
    id,
  };
}
