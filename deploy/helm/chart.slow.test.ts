/** The Helm chart: what it renders is valid, confined, and what the service needs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: manifests, which the models of Kubernetes check.
type Tree = any;

const here = fileURLToPath(new URL('.', import.meta.url));
const chart = join(here, 'tarishi');
const read = (file: string) => readFileSync(join(chart, file), 'utf8');
const settings = new Set(
  readFileSync(new URL('../../src/process/config.ts', import.meta.url), 'utf8').match(
    /(?<=')[A-Z][A-Z_]+(?=')/g,
  ),
);
const models = createRequire(new URL('../../tools/package.json', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-chart-'));
afterAll(() => rmSync(directory, { recursive: true }));

const PUBLIC_URL = 'https://sms.example.com';
/** What three operators might set. */
const values: Record<string, Tree> = {
  smallest: { settings: { PUBLIC_URL } },
  large: {
    settings: { PUBLIC_URL, TRUST_PROXY_HOPS: '1', MESSAGE_VALIDITY_SECONDS: '3600' },
    image: { tag: 'v1.2.3' },
    imagePullSecrets: [{ name: 'registry' }],
    serve: { autoscaling: { enabled: true, maxReplicas: 20 } },
    work: { autoscaling: { enabled: true, oldestQueuedSeconds: 10 } },
    ingress: {
      enabled: true,
      className: 'nginx',
      tlsSecretName: 'sms-tls',
      annotations: { 'example.com/a': 'b' },
    },
    podMonitor: { enabled: true },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'messaging', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
  },
  exposed: {
    settings: { PUBLIC_URL },
    secretName: 'sms-secrets',
    service: { type: 'LoadBalancer', port: 8080 },
    networkPolicy: { enabled: false },
  },
};

const hasHelm = spawnSync('helm', ['version']).status === 0;
const sprig = '/usr/share/gocode';
const hasSprig =
  spawnSync('ls', [join(sprig, 'src/github.com/Masterminds/sprig')]).status === 0 &&
  spawnSync('go', ['version']).status === 0;
if (!hasHelm && !hasSprig)
  process.stdout.write(
    "skipped: neither helm nor Go with Debian's golang-github-masterminds-sprig-dev is installed\n",
  );

/** All manifests, by kind and name. */
function render(own: Tree): Map<string, Tree> {
  const texts = hasHelm ? renderByHelm(own) : renderByGo(own);
  const manifests = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
  return new Map(manifests.filter(Boolean).map((one: Tree) => [`${one.kind} ${one.metadata.name}`, one]));
}

function renderByHelm(own: Tree): string[] {
  const file = join(directory, 'values.json');
  writeFileSync(file, JSON.stringify(own));
  const run = (...words: string[]) =>
    execFileSync('helm', [...words, '--values', file], { encoding: 'utf8' });
  run('lint', '--strict', chart);
  return [run('template', 'sms', chart)];
}

function renderByGo(own: Tree): string[] {
  const { name, version, appVersion } = parse(read('Chart.yaml'));
  const templates = Object.fromEntries(
    readdirSync(join(chart, 'templates')).map((file) => [file, read(`templates/${file}`)]),
  );
  const context = {
    Values: merged(parse(read('values.yaml')), own),
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'sms', Namespace: 'default', Service: 'Helm' },
  };
  const output = execFileSync('go', ['run', join(here, 'render-testing.go')], {
    input: JSON.stringify({ Templates: templates, Context: context }),
    env: { ...process.env, GO111MODULE: 'off', GOPATH: sprig, GOFLAGS: '', GOCACHE: join(directory, 'go') },
    encoding: 'utf8',
  });
  const { 'NOTES.txt': _, ...manifests } = JSON.parse(output) as Record<string, string>;
  return Object.values(manifests);
}

function merged(base: Tree, own: Tree): Tree {
  if (typeof base !== 'object' || base === null || Array.isArray(base)) return own ?? base;
  const keys = new Set([...Object.keys(base), ...Object.keys(own ?? {})]);
  return Object.fromEntries(
    [...keys].map((key) => [key, own?.[key] === undefined ? base[key] : merged(base[key], own[key])]),
  );
}

const valid = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));

test.each([
  ['a setting that is not text', { settings: { PUBLIC_URL, TRUST_PROXY_HOPS: 1 } }],
  ['no PUBLIC_URL', { settings: {} }],
  ['a secret among the settings', { settings: { PUBLIC_URL, SECRET_KEY: 'x' } }],
  ['a misspelt value', { settings: { PUBLIC_URL }, serve: { replica: 3 } }],
])('%s is refused', (_what, own) => {
  expect(valid(merged(parse(read('values.yaml')), own))).toBe(false);
});

(hasHelm || hasSprig ? describe : describe.skip).each(Object.keys(values))('with values: %s', (which) => {
  let manifests: Map<string, Tree>;
  let own: Tree;

  beforeAll(() => {
    own = merged(parse(read('values.yaml')), values[which]);
    manifests = render(values[which]);
  });

  test('the values and every manifest are valid', () => {
    expect([valid(own), valid.errors]).toEqual([true, null]);
    for (const manifest of manifests.values()) if (manifest.kind !== 'PodMonitor') validate(manifest);
    expect(manifests.size).toBe({ smallest: 7, large: 11, exposed: 6 }[which]);
  });

  test('every pod runs without rights on a read-only root, with settings that exist and secrets from the Secret', () => {
    for (const [command, pod] of pods(manifests)) {
      const [container] = pod.containers;
      expect(container).toMatchObject({
        args: [command],
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 30,
        securityContext: { runAsNonRoot: true },
      });
      const names = container.env.map(({ name }: Tree) => name);
      expect(names).toEqual([...Object.keys(own.settings).sort(), 'DATABASE_URL', 'SECRET_KEY']);
      expect(names.filter((name: string) => !settings.has(name))).toEqual([]);
      expect(container.env.slice(-2).map((one: Tree) => one.valueFrom.secretKeyRef.name)).toEqual([
        own.secretName,
        own.secretName,
      ]);
    }
  });

  test('services, budgets and policies select the pods that they are for', () => {
    const all = new Map(pods(manifests).map(([command, , labels]) => [command, labels]));
    const selected = (selector: object) =>
      [...all].flatMap(([command, labels]) =>
        Object.entries(selector).every(([label, value]) => labels[label] === value) ? [command] : [],
      );
    const of = (name: string) => manifests.get(name)?.spec;
    expect(selected(of('Service sms-tarishi').selector)).toEqual(['serve']);
    for (const command of ['serve', 'work']) {
      expect(selected(of(`Deployment sms-tarishi-${command}`).selector.matchLabels)).toEqual([command]);
      expect(selected(of(`PodDisruptionBudget sms-tarishi-${command}`).selector.matchLabels)).toEqual([
        command,
      ]);
    }
    if (own.networkPolicy.enabled)
      expect(selected(of('NetworkPolicy sms-tarishi').podSelector.matchLabels)).toEqual([
        'serve',
        'work',
        'migrate',
      ]);
    if (own.ingress.enabled) expect(of('Ingress sms-tarishi').rules[0].host).toBe('sms.example.com');
    expect(of('Deployment sms-tarishi-work').replicas).toBe(own.work.autoscaling.enabled ? undefined : 2);
  });
});

/** Of each command: the pod, and its labels. */
function pods(manifests: Map<string, Tree>): [string, Tree, Record<string, string>][] {
  return ['Deployment sms-tarishi-serve', 'Deployment sms-tarishi-work', 'Job sms-tarishi-migrate'].map(
    (name) => {
      const { template } = manifests.get(name).spec;
      return [name.split('-').at(-1) ?? '', template.spec, template.metadata.labels];
    },
  );
}

/** Throws unless it is what Kubernetes takes. */
function validate(manifest: Tree): void {
  const { [manifest.kind]: Model } = models(`kubernetes-models/${manifest.apiVersion}`);
  new Model(manifest).validate();
}
