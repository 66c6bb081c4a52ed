/** Which pages there are, in the order in which they are read, grouped as in the navigation. */

export const groups = [
  'Start',
  'Guides',
  'Errors',
  'Reference',
  'Deploy',
  'Manage',
  'Networks',
  'Operate',
  'Project',
] as const;
export type Group = (typeof groups)[number];

/** A page that is written as a Markdown file. */
export interface WrittenPage {
  /** Below /docs; empty for the first page. */
  name: string;
  /** Its path in the repository. */
  file: string;
  group: Group;
  /** In the navigation, where the title is too long for it. */
  label?: string;
  /** Where the heading of the file does not fit. */
  title?: string;
  /** Its samples have the address of this service. */
  isPersonal?: boolean;
  /** Words that readers search it by, and that it does not use. */
  keywords?: string;
  /** The same of its sections, by heading. */
  sectionKeywords?: Readonly<Record<string, string>>;
  /** What only this page has: a form after its first section. */
  form?: 'webhook-tester';
}

/** Names of the files in docs/guides, without `.md`. */
export const guideOrder = [
  'first-message',
  'templates',
  'senders',
  'mobile-data',
  'chat-app',
  'preview',
  'send-later',
  'quiet-hours',
  'receipts',
  'receive-replies',
  'message-status',
  'opt-outs',
  'idempotency',
  'limits',
  'protect-your-bill',
  'errors',
  'going-live',
] as const;

export type GuideName = (typeof guideOrder)[number] | 'compatibility';

const guideKeywords: Partial<Record<GuideName, string>> = {
  'first-message': 'test numbers, magic numbers, outcomes, opted out, absent subscriber',
  receipts: 'delivery report, delivery receipt, DLR, webhook, callback, signature, standardwebhooks',
  'receive-replies': 'inbound, incoming, MO, mobile originated, two-way, reply, answer',
  'message-status': 'message status, track, timeline, delivery status, find',
  limits: 'rate limit, throttling, quota, 429, maximum, unicode',
  'chat-app': 'WhatsApp, carousel, buttons',
  'mobile-data': 'airtime, data bundle, disburse',
  idempotency: 'idempotency key, retry, duplicate, timeout, lost response',
  'quiet-hours': 'night, weekend, holidays, marketing, promotional, time zone, consent',
  'send-later': 'schedule, scheduled, sendAt, delayed, later, postpone',
  preview: 'price, pricing, cost, estimate, parts',
  'opt-outs': 'unsubscribe, STOP, consent, do not disturb, DND, blacklist, blocklist, suppression list',
  compatibility: 'versioning, deprecation, sunset, breaking changes',
  errors: 'error codes, status codes, X-Request-Id, support',
};

const guideSectionKeywords: Partial<Record<GuideName, Readonly<Record<string, string>>>> = {
  'first-message': { 'A different text for each recipient': 'bulk, batch, mass, personalise' },
  limits: { 'A request': 'bulk, batch, mass, many recipients, maximum recipients' },
  'message-status': { 'See what you can use': 'sender id, sender name, sender ID, services, senders' },
  receipts: { Verify: 'webhook secret, signing secret' },
};

const guide = (name: GuideName, group: Group): WrittenPage => ({
  name: `guides/${name}`,
  file: `docs/guides/${name}.md`,
  group,
  isPersonal: true,
  keywords: guideKeywords[name] ?? '',
  sectionKeywords: guideSectionKeywords[name] ?? {},
});
const page = (name: string, group: Group, more: Partial<WrittenPage> = {}): WrittenPage => ({
  name,
  file: `docs/${name}.md`,
  group,
  ...more,
});

const client = (name: string, language: string, keywords = ''): WrittenPage => ({
  name: `sdks/${name}`,
  file: `clients/${name}/README.md`,
  group: 'Start',
  title: `${language} client`,
  keywords: `SDK, library, ${keywords}`,
});

export const writtenPages: readonly WrittenPage[] = [
  page('', 'Start', {
    file: 'docs/start.md',
    label: 'Quickstart',
    isPersonal: true,
    keywords: 'quick start, getting started, get a token, authentication',
  }),
  page('sdks', 'Start', { keywords: 'SDK, library, package, Postman, generator' }),
  client('typescript', 'TypeScript', 'JavaScript, Node'),
  client('python', 'Python'),
  client('php', 'PHP'),
  client('go', 'Go', 'Golang'),
  page('sandbox', 'Start', { label: 'Mock and sandbox' }),
  page('coming-from', 'Start', {
    label: 'Coming from Kannel, Jasmin, Twilio',
    keywords: 'migrate, migration, switch, move, replace, kannel.conf, sendsms, jcli, sqlbox',
  }),
  ...guideOrder.map((name) => guide(name, 'Guides')),
  page('webhook-tester', 'Guides', { form: 'webhook-tester' }),
  page('glossary', 'Reference'),
  page('operating', 'Deploy', { label: 'Overview' }),
  page('live-channel', 'Deploy', { label: 'A live channel' }),
  page('operate/deploy', 'Deploy', {
    keywords: 'production, install, set up, Docker, Kubernetes, container, systemd, nginx, PgBouncer',
  }),
  page('settings', 'Deploy', { keywords: 'configuration, environment variables, health, probes, logs' }),
  page('operate/failover', 'Deploy', {
    keywords: 'failover, HA, standby, replica, replication, Patroni, HAProxy, disaster, outage',
  }),
  page('scaling', 'Deploy', {
    keywords: 'throughput, capacity, sharding, shard, several databases, several deployments, region',
  }),
  page('operate/upgrades', 'Deploy', {
    keywords: 'new version, update, migration, migrate, restart, roll back',
  }),
  page('operate/check', 'Deploy', { keywords: 'smoke test, health check, doctor' }),
  page('operate/manage', 'Manage', {
    label: 'Command line and API',
    keywords: 'CLI, users, roles, access key, audit log, completion, operators',
  }),
  page('console', 'Manage', {
    label: 'The console',
    keywords: 'sign in, login, single sign-on, SSO, OpenID Connect, Keycloak, session, browser',
  }),
  page('operate/teams', 'Manage', {
    keywords: 'onboard, provision, create a team, campaign, approve a template',
    sectionKeywords: { Units: 'price, pricing, billing, credit, top up, balance' },
  }),
  page('operate/chat-app', 'Manage', { label: 'Chat-app services', keywords: 'WhatsApp, sender number' }),
  page('operate/clients', 'Manage', {
    keywords: 'scopes, allow list, IP addresses, CORS, browser, Keycloak, OpenID Connect, rate limit',
  }),
  page('operate/secrets', 'Manage', {
    keywords: 'key rotation, leaked secret, revoke',
    sectionKeywords: {
      'Changing secrets': 'rotate, rotation, webhook secret, signing secret, new secret',
    },
  }),
  page('operate/opt-outs', 'Manage', { keywords: 'do not disturb, DND, registry, blocklist file' }),
  page('statements', 'Manage'),
  page('networks', 'Networks', { label: 'Connectors', keywords: 'connector, channel' }),
  page('networks/routes', 'Networks', {
    keywords: 'routing, fallback, second connector, load sharing, least cost',
  }),
  page('networks/smpp', 'Networks', { keywords: 'SMSC, bind, PDU, delivery reports' }),
  page('networks/http-sms', 'Networks', {
    keywords: "connector, provider, aggregator, Africa's Talking, Twilio, Infobip, Vonage, Nexmo, Kannel",
  }),
  page('networks/bundles', 'Networks', { keywords: 'connector, airtime, data bundles' }),
  page('networks/whatsapp', 'Networks', { keywords: 'Cloud API, Meta, Facebook, webhook' }),
  page('operate/monitoring', 'Operate', { keywords: 'metrics, Prometheus, Grafana, alerts, logs, overload' }),
  page('tracing', 'Operate', { keywords: 'OpenTelemetry, OTLP, Jaeger, Tempo, spans, observability' }),
  page('operate/troubleshooting', 'Operate', {
    keywords: 'support, message not delivered, quarantine, replay receipts',
  }),
  page('operate/backup', 'Operate', { keywords: 'backup, pg_dump, recovery, disaster recovery' }),
  page('privacy', 'Operate', {
    label: 'Privacy',
    keywords: 'GDPR, delete a person, user data, retention, erasure',
  }),
  page('archive', 'Operate', { keywords: 'export, cold storage, partition, data lifecycle, NDJSON' }),
  guide('compatibility', 'Project'),
  page('changelog', 'Project', { file: 'CHANGELOG.md' }),
  page('debugging', 'Project'),
];

/** By tag of the public API: the guide that explains what its operations belong to. */
export const guideOfTag: Readonly<Record<string, GuideName>> = {
  SMS: 'first-message',
  'Chat-app': 'chat-app',
  'Mobile data': 'mobile-data',
  Messages: 'message-status',
  Receipts: 'receipts',
  Consent: 'opt-outs',
  Resources: 'message-status',
  Tokens: 'first-message',
};
