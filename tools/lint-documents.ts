/** Lints the bundled documents: `npm run lint:spec`. */
import { commandOf, runAll } from './programs.ts';

const spectral = (...words: string[]) => [
  commandOf('@stoplight/spectral-cli', 'spectral'),
  'lint',
  ...words,
  '--fail-severity',
  'hint',
];
const apis = ['generated/openapi.yaml', 'generated/management.yaml'];

runAll([
  [commandOf('@redocly/cli', 'redocly'), 'lint', ...apis],
  spectral(...apis),
  spectral('generated/sandbox.yaml', '--ruleset', '.spectral.sandbox.yaml'),
  spectral('generated/asyncapi.yaml', '--ruleset', '.spectral.asyncapi.yaml'),
]);
