/** Slow tests of what rarely changes: a run of all tests includes them if something that they read has changed. */
import { execFileSync } from 'node:child_process';

/** By path of the test: what else it reads. */
const slowTests = {
  'clients/generators.test.ts': ['generated', 'spec', 'package-lock.json'],
  'clients/packages.test.ts': ['clients'],
  'clients/postman/collection.test.ts': [
    'clients/postman',
    'generated',
    'spec',
    'handlers',
    'package-lock.json',
  ],
  'clients/typescript/package.test.ts': ['clients/typescript', 'package-lock.json'],
  'contract-tests/docs/conform.test.ts': [
    'clients',
    'examples',
    'src/partner',
    'src/receipts/callback',
    'spec',
  ],
  'contract-tests/docs/docs-in-browser.test.ts': [
    'docs',
    'src/docs',
    'src/http',
    'spec',
    'package-lock.json',
  ],
  'contract-tests/docs/mock.test.ts': ['spec', 'generated', 'src/partner/sandbox', 'package-lock.json'],
  'contract-tests/docs/recipes.test.ts': [
    'CONTRIBUTING.md',
    'contract-tests/docs/recipes',
    'docs/guides/chat-app.md',
    'handlers',
    'spec',
    'tools',
    'src/accept/receipt-request.ts',
    'src/connectors/contract',
    'src/connectors/runtime/kinds.ts',
    'src/manage',
    'src/partner/sandbox/any-id',
    'src/platform/errors.ts',
    'src/process/config.ts',
    'src/products/chatapp/templates',
    'src/read/opt-outs.ts',
    'package-lock.json',
  ],
  'contract-tests/processes/lifecycle/signals.test.ts': ['bin', 'src/main.ts', 'src/process', 'src/platform'],
  'deploy/package.test.ts': ['bin', 'deploy', 'package.json', 'package-lock.json', 'src/main.ts'],
  'deploy/proxy/nginx.test.ts': ['deploy/proxy', 'src/http'],
  'src/platform/db/embedded/memory.test.ts': ['bin', 'src/platform/db', 'package-lock.json'],
  'contract-tests/docs/guide-commands.test.ts': ['docs', 'spec', 'src/cli'],
  'contract-tests/docs/sandbox-page.test.ts': [
    'docs/sandbox.md',
    'spec/sandbox.yaml',
    'src/cli',
    'src/partner',
  ],
  'contract-tests/operations/console/journeys.test.ts': [
    'docs/assets',
    'handlers/management',
    'spec/management',
    'src/console',
    'src/manage',
  ],
  'contract-tests/operations/console/pages-in-browser.test.ts': [
    'docs/assets',
    'spec/management',
    'src/console',
  ],
  'contract-tests/processes/faults/disk-full.test.ts': [
    'src/accept',
    'src/delivery',
    'src/platform/db',
    'src/process',
    'src/receipts',
  ],
  'contract-tests/processes/faults/kill-during-disbursements.test.ts': [
    'src/connectors/bundles',
    'src/delivery',
    'src/platform/db',
    'src/process',
    'src/products/data',
  ],
  'contract-tests/processes/faults/kill-under-load.test.ts': [
    'src/accept',
    'src/delivery',
    'src/platform/db',
    'src/process',
    'src/receipts',
  ],
  'contract-tests/processes/http/costly-requests.test.ts': ['spec', 'src/http'],
  'contract-tests/processes/networks/bundle-provider-faults.test.ts': [
    'src/connectors',
    'src/delivery',
    'src/receipts',
  ],
  'contract-tests/processes/networks/bundle-provider.test.ts': [
    'src/connectors',
    'src/delivery',
    'src/receipts',
  ],
  'contract-tests/processes/networks/smsc-connection-faults.test.ts': [
    'src/connectors',
    'src/delivery',
    'src/receipts',
  ],
  'contract-tests/processes/networks/smsc-faults.test.ts': ['src/connectors', 'src/delivery', 'src/receipts'],
  'contract-tests/processes/networks/whatsapp-messages.test.ts': [
    'src/connectors',
    'src/delivery',
    'src/receipts',
  ],
  'contract-tests/processes/teams/operating.test.ts': [
    'bin',
    'deploy',
    'docs/operate',
    'spec/management',
    'src/cli',
    'src/process',
  ],
  'contract-tests/processes/teams/set-up-sms.test.ts': ['spec/management', 'src/cli', 'src/manage'],
};

/** Patterns of the tests to leave out: none with TESTS=all or TEST_SIZE=large, nor one that the command line names. */
export function unaffectedTests() {
  if (process.env.TESTS === 'all' || process.env.TEST_SIZE === 'large') return [];
  // The value of an option names no test.
  const words = process.argv
    .slice(2)
    .filter((word, at, all) => !/^-/.test(word) && !/^--(config|selectProjects)$/.test(all[at - 1]));
  const left = Object.entries(slowTests)
    .filter(([file]) => !words.some((word) => file.includes(word)))
    .filter(([file, read]) => !haveChanged([file, ...read]))
    .map(([file]) => file);
  if (left.length > 0)
    process.stderr.write(
      `skipped, as the last commit and the working tree change nothing that they read (TESTS=all runs them):\n${left.join('\n')}\n`,
    );
  return left.map((file) => `/${file.replaceAll('.', String.raw`\.`)}$`);
}

/** True without Git's history. */
function haveChanged(paths) {
  const git = (...words) =>
    execFileSync('git', [...words, '--', ...paths], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  try {
    return git('diff', '--name-only', 'HEAD~1') + git('ls-files', '--others', '--exclude-standard') !== '';
  } catch {
    return true;
  }
}
