/** Lints the bundled documents: `npm run check -- documents`. */
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
  [commandOf('@redocly/cli', 'redocly'), 'lint', ...apis, '--config', 'tools/redocly.yaml'],
  spectral(...apis, '--ruleset', 'tools/spectral.yaml'),
  spectral('generated/sandbox.yaml', '--ruleset', 'tools/spectral.sandbox.yaml'),
  spectral('generated/asyncapi.yaml', '--ruleset', 'tools/spectral.asyncapi.yaml'),
]);
