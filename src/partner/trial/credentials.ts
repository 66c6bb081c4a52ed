/** Whose client a trial of the service uses: the demo's, unless the command names another one. */
import { existsSync } from 'node:fs';
import { demoFile, readDemoFile } from '../../demo/file.ts';

export interface Credentials {
  url: string;
  clientId: string;
  clientSecret: string;
  signingSecret: string;
  /** The SMS service to send through. */
  serviceId: string;
}

/** Throws an Error that says what is missing if neither `given` nor the demo in the directory has it. */
export function credentialsFor<Name extends keyof Credentials>(
  directory: string,
  given: { [N in keyof Credentials]?: string | undefined },
  needed: readonly Name[],
): Pick<Credentials, Name> {
  const missing = needed.filter((name) => given[name] === undefined);
  if (missing.length === 0) return given as Pick<Credentials, Name>;
  if (!existsSync(demoFile(directory)))
    throw new Error(
      `${demoFile(directory)} does not exist. Run the command in the folder where you started the demo, set DATA_DIR, ` +
        `or give ${missing.map((name) => `--${optionOf[name]}`).join(', ')}`,
    );
  const { baseUrl: url, clientId, clientSecret, signingSecret, smsServiceId } = readDemoFile(directory);
  const demo: Credentials = { url, clientId, clientSecret, signingSecret, serviceId: smsServiceId };
  return Object.fromEntries(needed.map((name) => [name, given[name] ?? demo[name]])) as never;
}

const optionOf: Record<keyof Credentials, string> = {
  url: 'url',
  clientId: 'client',
  clientSecret: 'client-secret-file',
  signingSecret: 'signing-secret-file',
  serviceId: 'service',
};
