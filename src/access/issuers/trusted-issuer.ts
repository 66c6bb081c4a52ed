/** Parses and validates the setting that lists trusted token issuers. */
import { own } from '../../platform/text/own.ts';
import { isHttpUrl } from '../../platform/text/url.ts';

export interface TrustedIssuer {
  /** The `iss` claim, exactly; its metadata is below it. */
  issuer: string;
  /** The `aud` claim that tokens for this service carry. */
  audience: string;
  /** Where its keys are; undefined: its metadata says so. */
  jwksUrl: string | undefined;
  /** The claims that may name the client, the first that is there. */
  clientIdClaims: readonly string[];
  /** The claim that lists the scopes. */
  scopeClaim: string;
}

/** RFC 9068 has `client_id`, OpenID Connect `azp`. */
const defaultClientIdClaims = ['client_id', 'azp'];
const names = ['issuer', 'audience', 'jwksUrl', 'clientIdClaim', 'scopeClaim'];

/** The issuers in a JSON list of objects with the properties of `names`, or one sentence on what is wrong with it. */
export function parseTrustedIssuers(text: string): readonly TrustedIssuer[] | string {
  let entries: unknown;
  try {
    entries = JSON.parse(text);
  } catch {
    return 'is not valid JSON';
  }
  if (!Array.isArray(entries)) return 'must be a JSON list of objects';
  const faults = entries.flatMap((entry, index) =>
    faultsOf(entry).map((fault) => `entry ${index + 1} ${fault}`),
  );
  if (faults.length > 0) return faults.join('; ');
  const issuers = (entries as Record<string, string>[]).map(issuerOf);
  const repeated = issuers.find(
    ({ issuer }, index) => issuers.findIndex((one) => one.issuer === issuer) < index,
  );
  return repeated === undefined ? issuers : `lists ${repeated.issuer} more than once`;
}

function faultsOf(entry: unknown): string[] {
  if (entry === null || typeof entry !== 'object') return ['must be an object'];
  const properties = entry as Record<string, unknown>;
  const isUrl = (name: string) => isHttpUrl(String(own(properties, name)));
  return [
    ...Object.entries(properties)
      .filter(([name, value]) => !names.includes(name) || typeof value !== 'string' || value === '')
      .map(([name]) =>
        names.includes(name) ? `${name} must be a string` : `has the unknown property ${name}`,
      ),
    ...['issuer', 'audience']
      .filter((name) => own(properties, name) === undefined)
      .map((name) => `needs ${name}`),
    ...['issuer', 'jwksUrl']
      .filter((name) => own(properties, name) !== undefined && !isUrl(name))
      .map((name) => `${name} must be an http or https URL`),
  ];
}

function issuerOf({
  issuer = '',
  audience = '',
  jwksUrl,
  clientIdClaim,
  scopeClaim = 'scope',
}: Record<string, string>): TrustedIssuer {
  return {
    issuer,
    audience,
    jwksUrl,
    clientIdClaims: clientIdClaim === undefined ? defaultClientIdClaims : [clientIdClaim],
    scopeClaim,
  };
}
