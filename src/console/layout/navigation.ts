/** The pages of the navigation, in its order. */

export interface NavigationItem {
  label: string;
  /** Below `/console`. */
  path: string;
}

export interface NavigationGroup {
  name: string;
  items: readonly NavigationItem[];
}

const item = (label: string, path: string): NavigationItem => ({ label, path });

export const today = item('Today', '/');

export const groups: readonly NavigationGroup[] = [
  {
    name: 'Messages',
    items: [
      item('Requests', '/requests'),
      item('Messages', '/messages'),
      item('Inbound messages', '/inbound'),
      item('Receipts', '/receipts'),
      item('Endpoints', '/endpoints'),
      item('Opt-outs', '/opt-outs'),
    ],
  },
  {
    name: 'Templates',
    items: [
      item('SMS templates', '/templates/sms'),
      item('Chat-app templates', '/templates/chat-app'),
      item('Campaigns', '/campaigns'),
    ],
  },
  {
    name: 'Teams',
    items: [
      item('Teams', '/teams'),
      item('Clients', '/clients'),
      item('Services', '/services/sms'),
      item('Accounts', '/accounts'),
      item('Codes', '/guarded-places'),
    ],
  },
  {
    name: 'Networks',
    items: [
      item('Channels', '/channels'),
      item('Ported numbers', '/ported-numbers'),
      item('Connectors', '/connectors'),
      item('Routes', '/routes'),
      item('Senders', '/senders'),
      item('Sender rules', '/sender-rules'),
      item('Chat-app senders', '/chatapp-senders'),
      item('Quiet hours', '/quiet-hours'),
    ],
  },
  {
    name: 'Platform',
    items: [
      item('Statistics', '/statistics'),
      item('Users', '/users'),
      item('Audit log', '/audit'),
      item('Quarantine', '/quarantine'),
      item('Erasure', '/erasure'),
    ],
  },
];
