/** The layout of the code as data: which folder may import which, who may import a package, which files stay pure. */

/** These put the parts together, or start, feed and tend the whole: they see everything. */
export const wiring =
  /^src\/(main|(process(\/worker)?|demo|mock|conform(\/(client|receiver))?|sandbox(\/time)?)\/[a-z-]+)\.ts$/;
/** What the folders stand on in common. */
export const ground =
  /^src\/((bind|clock|errors|events|gauges|line-buffer|log|log-repeats|log-text|products)|(concurrency|errors|isolation|text)\/[a-z0-9-]+)\.ts$/;
export const repository = /(^|[/-])repository\.ts$/;

/** The files of ours, besides the common ground, that each folder may import; `from` may name one file. */
export const layers: { from: RegExp; may: RegExp[] }[] = [
  {
    from: /^handlers\//,
    may: [
      /^handlers\//,
      /^src\/http\/contract\/operation\.ts$/,
      /^src\/intake\/accept\.ts$/,
      ...folders('clients', 'sms', 'data', 'chatapp', 'reading', 'preview'),
      /^src\/receipts\/sample\.ts$/,
    ],
  },
  {
    from: /^handlers\/management\//,
    may: [...folders('manage', 'teams', 'phone'), /^generated\//],
  },
  {
    from: /^src\/http\//,
    may: [...folders('http', 'clients', 'docs'), /^src\/intake\/plan\.ts$/, /^generated\//],
  },
  {
    from: /^src\/(sms|data|chatapp)\//,
    may: [
      ...folders('templates', 'phone', 'limits', 'intake'),
      /^src\/clients\/client\.ts$/,
      /^src\/receipts\/(request|states)\.ts$/,
    ],
  },
  { from: /^src\/sms\//, may: folders('sms') },
  { from: /^src\/data\//, may: [...folders('data'), /^src\/sms\/service\.ts$/] },
  {
    from: /^src\/chatapp\//,
    may: [...folders('chatapp'), /^src\/sms\/service\.ts$/, /^src\/receipts\/callback\/destination\.ts$/],
  },
  { from: /^src\/chatapp\/templates\/parameter\.ts$/, may: [/^generated\//] },
  { from: /^src\/(sms|data|chatapp)\/receipt\.ts$/, may: [/^generated\//] },
  { from: /^src\/templates\//, may: folders('templates') },
  { from: /^src\/intake\//, may: folders('intake', 'db', 'queue') },
  {
    from: /^src\/intake\/accept\.ts$/,
    may: [/^src\/(limits\/limiter|clients\/client|phone\/parse|receipts\/request)\.ts$/],
  },
  {
    from: /^src\/delivery\//,
    may: [...folders('delivery', 'queue', 'connectors', 'receipts', 'db'), /^src\/intake\/plan\.ts$/],
  },
  { from: /^src\/delivery\/retry\.ts$/, may: [/^src\/retention\/erase-repository\.ts$/] },
  {
    from: /^src\/connectors\//,
    may: [
      ...folders('connectors'),
      /^src\/(receipts\/states|intake\/plan|chatapp\/templates\/(filled-template|definition|template))\.ts$/,
    ],
  },
  {
    from: /^src\/queue\//,
    may: [
      ...folders('queue', 'db'),
      /^src\/(intake\/plan|receipts\/states|connectors\/contract\/connector)\.ts$/,
    ],
  },
  { from: /^src\/receipts\//, may: [...folders('receipts'), /^src\/intake\/plan\.ts$/] },
  {
    // What clients read is named by the rules that made it.
    from: /^src\/reading\//,
    may: [
      ...folders('reading', 'templates', 'chatapp', 'data'),
      /^src\/(phone\/parse|receipts\/(states|log-repository|resend-repository))\.ts$/,
      /^src\/clients\/secrets\.ts$/,
      /^src\/intake\/plan\.ts$/,
    ],
  },
  {
    // Shows the plan of a product with the product's own rules.
    from: /^src\/preview\//,
    may: [
      ...folders('preview', 'sms', 'data', 'chatapp', 'phone'),
      /^src\/(intake\/(accept|plan)|limits\/limiter|reading\/product|connectors\/contract\/kind)\.ts$/,
    ],
  },
  { from: /^src\/limits\//, may: folders('limits') },
  { from: /^src\/statistics\//, may: folders('statistics') },
  {
    from: /^src\/manage\//,
    may: [
      ...folders('manage', 'clients', 'sms', 'data', 'chatapp', 'templates', 'balances', 'phone', 'teams'),
      ...folders('connectors', 'db', 'reading', 'receipts', 'retention', 'statistics'),
      /^src\/(intake\/plan|isolation\/fault|limits\/operations)\.ts$/,
    ],
  },
  {
    // A command parses, calls a management function and prints.
    from: /^src\/commands\//,
    may: [
      ...folders('commands', 'manage'),
      /^src\/(config|templates\/template|intake\/plan|connectors\/runtime\/kinds|http\/contract\/document)\.ts$/,
      /^src\/chatapp\/templates\/(definition|template)\.ts$/,
    ],
  },
  {
    from: /^src\/commands\/line\/context\.ts$/,
    may: [...folders('db'), /^src\/(clients\/secrets|process\/secret-key)\.ts$/],
  },
  { from: /^src\/commands\/operation\/run\.ts$/, may: [/^src\/process\/start\.ts$/] },
  { from: /^src\/commands\/operation\/sandbox\.ts$/, may: [/^src\/sandbox\/run\.ts$/] },
  { from: /^src\/commands\/operation\/conform\.ts$/, may: [/^src\/conform\/run\.ts$/] },
  { from: /^src\/commands\/operation\/mock\.ts$/, may: [/^src\/mock\/run\.ts$/] },
  { from: /^src\/commands\/operation\/trial\.ts$/, may: folders('trial') },
  {
    // A client of the running service, with the credentials of its demo.
    from: /^src\/trial\//,
    may: [
      ...folders('trial'),
      /^generated\//,
      /^src\/demo\/file\.ts$/,
      /^src\/receipts\/(states|callback\/signature)\.ts$/,
    ],
  },
  { from: /^src\/balances\//, may: [...folders('balances'), /^src\/intake\/plan\.ts$/] },
  {
    from: /^src\/retention\//,
    may: [...folders('retention'), /^src\/(intake\/plan|receipts\/(record|states))\.ts$/],
  },
  { from: /^src\/clients\//, may: folders('clients') },
  { from: /^src\/phone\//, may: folders('phone') },
  { from: /^src\/db\//, may: folders('db') },
  { from: repository, may: folders('db') },
  { from: /^src\/docs\//, may: folders('docs') },
  {
    from: /^src\/config\.ts$/,
    may: [/^src\/(misspelt-settings|phone\/parse)\.ts$/, /^src\/clients\/issuers\/trusted-issuer\.ts$/],
  },
  { from: /^src\/products\.ts$/, may: [/^src\/intake\/plan\.ts$/] },
  { from: /^src\/events\.ts$/, may: [/^src\/intake\/plan\.ts$/, /^src\/receipts\/states\.ts$/] },
];

/** Who alone may import a package for what it does. */
export const owners: { what: string; packages: RegExp; may: RegExp; typesToo: boolean }[] = [
  {
    what: 'Koa and openapi-backend',
    packages: /^(koa|@koa\/|openapi-backend)/,
    may: /^src\/http\//,
    typesToo: true,
  },
  {
    what: 'Ajv',
    packages: /^ajv/,
    may: /^src\/(http\/|connectors\/runtime\/settings\.ts|commands\/messaging\/chatapp-template-file\.ts)/,
    typesToo: true,
  },
  {
    what: 'Knex, PostgreSQL and PGlite',
    packages: /^(knex$|pg$|@electric-sql\/)/,
    may: /^src\/db\//,
    typesToo: false,
  },
  {
    what: "Knex's types",
    packages: /^knex$/,
    may: /^src\/(db\/|demo\/|sandbox\/|manage\/|process\/(secret-key|worker\/chores)|isolation\/|intake\/commit|queue\/|delivery\/(deliver|hand-over|held|poll|report|retry|claim|reports\/(match|network)-reports)|receipts\/(record|backlog)|retention\/|connectors\/(runtime\/metrics|simulators\/[a-z-]+)|.*repository)/,
    typesToo: true,
  },
  {
    what: 'the network',
    packages: /^(undici|node:(http|https|http2|net|tls|dgram|dns))(\/|$)/,
    may: /^src\/(connectors\/|receipts\/|sandbox\/front|mock\/front|trial\/|conform\/(client\/control|receiver\/(probe|listening))\.ts|http\/(front\/forward|listener|load-shedding|body\/(body|unread-body)|routes\/inbound-routes)|db\/embedded\/directory-lock|bind|clients\/(caller-address|address-list|issuers\/issuer-keys))/,
    typesToo: true,
  },
  {
    what: 'other processes',
    packages: /^node:child_process$/,
    may: /^src\/(mock\/prism|conform\/command)\.ts$/,
    typesToo: true,
  },
];

/** Rules that get facts as values: no database, no clock, no randomness, nothing from outside. */
export const pure = new RegExp(
  `^src/(${[
    'errors(/[a-z-]+)?',
    'intake/plan',
    'sms/(plan|facts|command|service|receipt)',
    'text/[a-z0-9-]+',
    'data/(plan|facts|command|frequency|campaign|receipt)',
    'chatapp/(plan|facts|command|receipt)',
    'chatapp/templates/(?!.*-repository)[a-z-]+',
    'templates/[a-z-]+',
    'phone/(parse|channels|route)',
    'limits/window',
    'preview/(judge|cost)',
    'receipts/(states|request|posting/schedule)',
    'balances/statement',
    'clients/(client|address-list|caller-address)',
  ].join('|')})\\.ts$`,
);

function folders(...names: string[]): RegExp[] {
  return names.map((name) => new RegExp(`^src/${name}/`));
}
