/** All kinds of resources that operators manage. */

import { own } from '../../platform/text/own.ts';
import { conditionOf, testWords } from '../networks/condition.ts';
import { explainPath } from '../networks/explain.ts';
import { routesOf } from '../networks/routes.ts';
import { begunConnector, fieldsOfKind, kinds, presetChoices } from '../networks/settings.ts';
import { firstMessage } from '../teams/first-message.ts';
import { firstSteps } from '../teams/first-steps.ts';
import { blamedInChatApp, drawChatApp } from '../templates/chat-app.ts';
import { previewRoutes } from '../templates/preview.ts';
import { reviewRoutes } from '../templates/review.ts';
import { blamedInSms, drawSms } from '../templates/sms.ts';
import type { Definition, Item } from './definition.ts';

const isEnabled = ({ enabled }: Item) => enabled === true;
const services = [
  ['SMS services', '/services/sms'],
  ['Chat-app services', '/services/chat-app'],
] as const;

const whereTo = {
  label: 'Where would a message go?',
  path: () => explainPath,
  operation: 'explainRoute',
} as const;

/** `filter`: what narrows the statistics to it. */
const statistics = (filter: string): NonNullable<Definition['related']> => [
  {
    label: 'Its statistics',
    path: (id) => `/statistics?by=channel&${filter}=${id}`,
    operation: 'getStatistics',
  },
];

const hasFormer =
  (...names: string[]) =>
  (item: Item) =>
    names.some((name) => Number(own(item, name)) > 1);

export const definitions: readonly Definition[] = [
  {
    path: '/users',
    collection: '/users',
    title: 'Users',
    one: 'user',
    noun: 'user',
    actions: {
      rotateUserKey: {
        label: 'New access key',
        question: 'The new key is shown once. The former key stays valid until you withdraw it.',
        does: 'gives a new access key to',
        done: 'The user has a new access key.',
        when: isEnabled,
      },
      revokeFormerUserKey: {
        label: 'Withdraw former key',
        question: 'The former access key ends at once. The newest one stays valid.',
        does: 'withdraws the former access key of',
        done: 'The former access key is withdrawn.',
        when: hasFormer('accessKeys'),
      },
    },
  },
  {
    path: '/teams',
    collection: '/teams',
    title: 'Teams',
    one: 'team',
    noun: 'team',
    above: firstSteps,
    related: [
      // Platform users only: no user of a team may list connectors.
      { label: 'See as this team', path: (id) => `/teams/${id}/view`, operation: 'listConnectors' },
      { label: 'Accounts', path: (id) => `/teams/${id}/accounts`, operation: 'listAccounts' },
      { label: 'Ledger', path: (id) => `/teams/${id}/ledger`, operation: 'listLedgerEntries' },
      ...[
        ['Clients', '/clients', 'listClients'] as const,
        ['SMS services', '/services/sms', 'listSmsServices'] as const,
        ['Chat-app services', '/services/chat-app', 'listChatAppServices'] as const,
        ['SMS templates', '/templates/sms', 'listSmsTemplates'] as const,
        ['Chat-app templates', '/templates/chat-app', 'listChatAppTemplates'] as const,
        ['Campaigns', '/campaigns', 'listCampaigns'] as const,
        ['Users', '/users', 'listUsers'] as const,
        ['Codes', '/guarded-places', 'listGuardedPlaces'] as const,
      ].map(([label, path, operation]) => ({
        label,
        path: (id: string) => `${path}?teamId=${id}`,
        operation,
      })),
    ],
  },
  {
    path: '/clients',
    collection: '/clients',
    title: 'Clients',
    one: 'client',
    noun: 'client',
    belowSecrets: firstMessage,
    columns: [
      'id',
      'teamId',
      { state: 'enabled' },
      'scopes',
      'clientSecrets',
      'allowedAddresses',
      'webOrigins',
    ],
    actions: {
      rotateClientSecret: {
        label: 'New secret',
        question: 'The new secret is shown once. The former one stays valid until you withdraw it.',
        does: 'gives a new secret to',
        done: 'The client has a new secret.',
      },
      revokeFormerClientSecrets: {
        label: 'Withdraw former secret',
        question:
          'All tokens that the former secret got end within 5 seconds. The newest secrets stay valid.',
        does: 'withdraws the former secrets of',
        done: 'The former secrets are withdrawn.',
        when: hasFormer('clientSecrets', 'signingSecrets'),
      },
      revokeClient: {
        label: 'Disable',
        isDangerous: true,
        question: 'All tokens of the client end within 5 seconds, and it can get no others.',
        does: 'disables',
        done: 'The client is disabled.',
        when: isEnabled,
      },
      restoreClient: {
        label: 'Enable',
        question: 'The client can get tokens and call again.',
        does: 'enables',
        done: 'The client is enabled.',
        when: (item) => !isEnabled(item),
      },
    },
  },
  {
    path: '/services/sms',
    collection: '/sms-services',
    title: 'SMS services',
    one: 'SMS service',
    related: statistics('serviceId'),
    noun: 'service',
    beside: services,
  },
  {
    path: '/services/chat-app',
    collection: '/chatapp-services',
    title: 'Chat-app services',
    one: 'chat-app service',
    related: statistics('serviceId'),
    noun: 'chat-app service',
    beside: services,
  },
  {
    path: '/chatapp-senders',
    collection: '/chatapp-senders',
    title: 'Chat-app senders',
    one: 'chat-app sender',
    noun: 'chat-app sender',
    references: { serviceId: '/services/chat-app' },
  },
  {
    path: '/senders',
    collection: '/senders',
    title: 'Senders',
    one: 'sender',
    noun: 'sender',
    columns: ['id', 'teamId', 'status', 'sender', 'kind', 'category'],
    actions: {
      reviewSender: {
        label: 'Review',
        decidesOn: 'uses',
        question: 'It decides on all uses that are pending. Only messages of approved uses are accepted.',
        does: 'decides on',
        done: 'The review is recorded.',
        when: ({ status }) => status === 'Pending',
      },
    },
  },
  {
    path: '/sender-rules',
    collection: '/sender-rules',
    title: 'Sender rules',
    one: 'sender rules',
    noun: 'sender rules',
    columns: ['country', 'enabled', 'kinds', 'registeredKinds', 'separatePromotional', 'source'],
  },
  {
    path: '/quiet-hours',
    collection: '/quiet-hours',
    title: 'Quiet hours',
    one: 'quiet hours',
    noun: 'quiet hours',
    columns: ['country', 'enabled', 'mondayToFriday', 'saturday', 'sunday', 'source'],
  },
  {
    path: '/templates/sms',
    collection: '/sms-templates',
    title: 'SMS templates',
    one: 'SMS template',
    noun: 'template',
    columns: ['id', 'teamId', 'approvalStatus', 'status', 'category', 'managedServiceKey'],
    actions: {
      reviewSmsTemplate: {
        label: 'Review',
        question: 'An approved template can be sent at once. A rejected one needs another text.',
        done: 'The review is recorded.',
        when: ({ approvalStatus }) => approvalStatus === 'PENDING',
      },
    },
    related: [
      {
        label: 'Preview with other values',
        path: (id) => `/templates/sms/${id}/preview`,
        operation: 'previewSmsTemplate',
      },
    ],
    blamed: blamedInSms,
    draw: drawSms,
    drawsBy: 'previewSmsTemplate',
    pages: (resource) => [...reviewRoutes(resource), ...previewRoutes(resource)],
  },
  {
    path: '/templates/chat-app',
    collection: '/chatapp-templates',
    title: 'Chat-app templates',
    one: 'chat-app template',
    noun: 'chat-app template',
    columns: ['id', 'teamId', 'name', 'language', 'approvalStatus', 'status', 'category'],
    actions: {
      reviewChatAppTemplate: {
        label: 'Set review',
        question: 'Only approved templates can be sent. The network may change this again.',
        does: 'sets the review of',
        done: 'The review is recorded.',
      },
      setChatAppTemplateStatus: {
        label: ({ status }) => (status === 'Archived' ? 'Restore' : 'Archive'),
        start: ({ status }) => ({ status: status === 'Archived' ? 'Active' : 'Archived' }),
        question: 'Archived templates cannot be sent.',
        does: 'archives or restores',
        done: 'The status is changed.',
      },
    },
    rare: ['components.limitedTimeOffer', 'components.carousel'],
    blamed: blamedInChatApp,
    draw: drawChatApp,
    drawsBy: 'previewChatAppTemplate',
  },
  {
    path: '/campaigns',
    collection: '/campaigns',
    title: 'Campaigns',
    one: 'campaign',
    related: statistics('serviceId'),
    noun: 'campaign',
  },
  {
    path: '/channels',
    collection: '/channels',
    title: 'Channels',
    one: 'channel',
    related: [whereTo, ...statistics('channel')],
    noun: 'channel',
    above: routesOf,
  },
  {
    path: '/routes',
    collection: '/routes',
    title: 'Routes',
    one: 'route',
    related: [whereTo],
    noun: 'route',
    actions: {
      removeRoute: {
        label: 'Remove…',
        isDangerous: true,
        question:
          'Messages that wait are matched with the other routes of the channel, or go through its connector.',
        does: 'removes',
        done: 'The route is removed.',
      },
    },
  },
  {
    path: '/connectors',
    collection: '/connectors',
    title: 'Connectors',
    one: 'connector',
    related: statistics('connector'),
    noun: 'connector',
    variants: {
      by: 'kind',
      words: kinds,
      more: presetChoices,
      begun: begunConnector,
      fields: fieldsOfKind,
    },
    columns: ['name', 'condition', 'since', 'waiting', 'kind', 'lastErrorAt', 'uses'],
    above: conditionOf,
    aboveSays: [
      'reason',
      'pausedReason',
      'since',
      'waiting',
      'oldestWaitingAt',
      'lastError',
      'lastErrorAt',
      'holders',
    ],
    actions: {
      testConnector: {
        label: 'Test',
        question:
          'Connects to the network with these settings and says whether it would take messages. Nothing is sent.',
        done: 'The test has ended.',
        found: testWords,
      },
      pauseConnector: {
        label: 'Pause…',
        question: 'New messages for it wait; reports still arrive.',
        does: 'pauses',
        requires: 'reason',
        done: 'The connector is paused.',
        when: ({ condition }) => condition !== 'paused',
      },
      resumeConnector: {
        label: 'Resume',
        question: 'The messages that wait are sent.',
        does: 'resumes',
        done: 'The connector is resumed.',
        when: ({ condition }) => condition === 'paused',
      },
      importChatAppTemplates: {
        label: 'Import templates',
        question: 'Adds and updates the chat-app templates that the network has.',
        does: 'imports the templates of',
        done: 'The templates are imported.',
        when: ({ kind }) => kind === 'whatsapp' || kind === 'chat-simulator',
      },
      removeConnector: {
        label: 'Remove…',
        isDangerous: true,
        question: 'Messages that wait for its reports would end without one.',
        does: 'removes',
        done: 'The connector is removed.',
      },
    },
  },
];
