/** The contract alone as a package of npm: the documents, their types and workflows, for clients that need nothing else. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../programs.ts';
import { output, type Release } from './release.ts';

const documents = ['openapi', 'management', 'sandbox'];

export function packContract({ version, folder }: Release): void {
  const source = mkdtempSync(join(tmpdir(), 'tarishi-openapi-'));
  const take = (from: string, name: string) => cpSync(join(root, from), join(source, name));
  for (const name of documents)
    for (const kind of ['yaml', 'json', 'd.ts']) take(`generated/${name}.${kind}`, `${name}.${kind}`);
  take('generated/asyncapi.yaml', 'asyncapi.yaml');
  take('LICENSE', 'LICENSE');
  mkdirSync(join(source, 'workflows'));
  const workflows = readFileSync(join(root, 'spec/workflows.yaml'), 'utf8');
  writeFileSync(join(source, 'workflows/workflows.yaml'), workflows.replace('../generated/', '../'));
  writeFileSync(join(source, 'README.md'), readme);
  writeFileSync(join(source, 'package.json'), `${JSON.stringify(manifest(version), null, 2)}\n`);
  output('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
  rmSync(source, { recursive: true });
}

function manifest(version: string) {
  const { license, repository, homepage, bugs, publishConfig } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return {
    name: 'tarishi-openapi',
    version,
    description:
      'The contract of the Tarishi messaging API: OpenAPI documents, their types, AsyncAPI and Arazzo.',
    keywords: ['openapi', 'asyncapi', 'arazzo', 'sms', 'messaging', 'tarishi'],
    license,
    repository,
    homepage,
    bugs,
    publishConfig,
    type: 'module',
    exports: {
      ...Object.fromEntries(documents.map((name) => [`./${name}`, { types: `./${name}.d.ts` }])),
      './*': './*',
    },
  };
}

const readme = `# tarishi-openapi

The contract of the Tarishi messaging API. It has no code and no dependencies.

| file | has |
|---|---|
| \`openapi.yaml\`, \`.json\`, \`.d.ts\` | the API that clients call, and the webhooks that they get |
| \`management.*\` | the API that operators call |
| \`sandbox.*\` | the API that tests call to script a sandbox |
| \`asyncapi.yaml\` | the webhooks alone |
| \`workflows/workflows.yaml\` | three journeys through the API, as Arazzo |

\`\`\`sh
npm install tarishi-openapi
\`\`\`

\`\`\`ts
import type { components } from 'tarishi-openapi/openapi';

const body: components['schemas']['SmsRequest'] = {
  type: 'SendToMany',
  addresses: ['+254711000000'],
  message: 'Habari',
};
\`\`\`

The documents are also served by every service, at \`/openapi.yaml\`, \`/openapi.json\` and \`/asyncapi.yaml\`. A version of this
package is that of the service which it describes; within 1.x requests and responses stay compatible.
`;
