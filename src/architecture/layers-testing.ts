/** The layout of the code as data: which folder may import which, who may import a package, which files stay pure. */

/** From the ground up: a file imports from its own floor and from those below it, types too. */
export const floors = [
  'src/platform',
  'src/model',
  'src/contract',
  'src/access',
  'src/receipts',
  'src/products',
  'src/connectors',
  'src/queue',
  'src/accept',
  'src/retention',
  'src/ledger',
  'src/archive',
  'src/delivery',
  'src/inbound',
  'src/read',
  'src/manage',
  'src/demo',
  'src/docs',
  'src/http',
  'handlers',
  'src/console',
  'src/process',
  'src/partner',
  'src/cli',
  'src/main.ts',
];

/** Floors that know less than what is below them, besides `platform`, `model`, `contract` and themselves. */
export const knows: { from: RegExp; only: RegExp }[] = [
  {
    from: /^handlers\/[a-z-]+\.ts$/i,
    only: /^(generated|src\/(accept|access|products|read)|src\/http\/contract\/operation\.ts|src\/receipts\/sample\.ts)/,
  },
  {
    from: /^handlers\/management\//,
    only: /^(generated|src\/(manage|products\/(chatapp\/templates|phone)|read)|src\/http\/contract\/operation\.ts)/,
  },
  { from: /^src\/http\//, only: /^(generated|src\/(access|docs))\// },
  {
    from: /^src\/connectors\//,
    only: /^(generated\/|src\/products\/chatapp\/templates\/(filled-template|definition|template)\.ts$)/,
  },
  { from: /^src\/(access|docs|receipts)\//, only: /^generated\// },
];

export const repository = /(^|[/-])repository\.ts$/;

/** Who alone may import a package for what it does. */
export const owners: { what: string; packages: RegExp; may: RegExp; typesToo: boolean }[] = [
  {
    what: 'Koa and openapi-backend',
    packages: /^(koa|@koa\/|openapi-backend)/,
    may: /^src\/(http|console)\//,
    typesToo: true,
  },
  {
    what: 'Ajv',
    packages: /^ajv/,
    may: /^src\/(http\/|connectors\/runtime\/settings\.ts)/,
    typesToo: true,
  },
  {
    what: 'OpenTelemetry',
    packages: /^@opentelemetry\//,
    may: /^src\/platform\/tracing\.ts$/,
    typesToo: true,
  },
  {
    what: 'Knex, PostgreSQL and PGlite',
    packages: /^(knex$|pg$|@electric-sql\/)/,
    may: /^src\/platform\/db\//,
    typesToo: false,
  },
  {
    what: "Knex's types",
    packages: /^knex$/,
    may: /^src\/(platform\/(db|isolation)\/|(demo|partner\/sandbox)\/|manage\/|console\/session\/|process\/(secret-key|worker\/chores)|accept\/commit|read\/reading|queue\/|delivery\/(deliver|hand-over|held|orphans\/search|poll|report|retry|claim|cancel\/cancel|scheduled\/[a-z]+|reports\/(match|network)-reports)|receipts\/(record|backlog)|retention\/|archive\/|inbound\/(receive|preferences|unreadable)|connectors\/(runtime\/metrics|simulators\/[a-z-]+)|.*repository)/,
    typesToo: true,
  },
  {
    what: 'the network',
    packages: /^(undici|node:(http|https|http2|net|tls|dgram|dns))(\/|$)/,
    may: /^src\/(connectors\/|receipts\/|partner\/(sandbox\/(front|smsc\/smsc)|trial\/|conform\/(client\/control|receiver\/(probe|listening))\.ts)|http\/(front\/forward|connections\/[a-z]+|load-shedding|body\/(body|unread-body)|routes\/inbound-routes)|platform\/(db\/(embedded\/directory-lock|connection-slots|postgres)|bind)|access\/(caller-address|address-list|issuers\/issuer-keys))/,
    typesToo: true,
  },
  {
    what: 'S3',
    packages: /^@aws-sdk\//,
    may: /^src\/archive\/bucket\.ts$/,
    typesToo: true,
  },
  {
    what: 'other processes',
    packages: /^node:child_process$/,
    may: /^src\/partner\/conform\/command\.ts$/,
    typesToo: true,
  },
];

/** Rules that get facts as values: no database, no clock, no randomness, nothing from outside. */
export const pure = new RegExp(
  `^src/(${[
    'platform/errors(/[a-z-]+)?',
    'model/(plan|products|account|states|words/[a-z]+)',
    'products/sms/(plan|facts|command|service|receipt)',
    'platform/text/[a-z0-9-]+',
    'products/data/(plan|facts|command|frequency|campaign|receipt)',
    'products/chatapp/(plan|facts|command|receipt)',
    'products/chatapp/templates/(?!.*-repository)[a-z-]+',
    'products/templates/[a-z-]+',
    'products/phone/(parse|channels|route)',
    'accept/limits/window',
    'accept/preview/(judge|cost)',
    'accept/receipt-request',
    'receipts/posting/schedule',
    'ledger/statement',
    'access/(client|address-list|caller-address)',
  ].join('|')})\\.ts$`,
);
