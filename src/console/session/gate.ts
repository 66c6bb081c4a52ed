/** Refuses, before anything is routed, requests that no browser of a person at the console's own address makes. */
import type Koa from 'koa';
import { createHostCheck } from '../../http/front/own-hosts.ts';
import { isOwnMachine } from '../../http/routes/own-machine.ts';

export interface GateSettings {
  /** The address that the console listens on. */
  host: string;
  /** Where people reach it through a proxy; undefined: at `host` only. */
  consoleUrl: string | undefined;
  trustedProxyHops: number;
}

/** Why a request is refused. */
export interface Refusal {
  status: number;
  heading: string;
  sentence: string;
}

/** Undefined: the request may pass. */
export function createGate(settings: GateSettings): (ctx: Koa.Context) => Refusal | undefined {
  const wrongHost = createHostCheck(settings.host);
  const ownName = settings.consoleUrl && new URL(settings.consoleUrl).hostname;
  return (ctx) => {
    const hosts = ctx.req.headersDistinct.host ?? [];
    // Proxies may leave out the port; the name is what nobody else can take.
    const isOwn = hosts.length === 1 && hosts[0]?.replace(/:\d+$/, '').toLowerCase() === ownName;
    if (!isOwn && wrongHost(hosts) !== undefined) return refusals.host;
    if (!isSecure(ctx, settings.trustedProxyHops)) return refusals.insecure;
    const reads = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!reads && !isSameOrigin(ctx, settings.consoleUrl)) return refusals.origin;
    return undefined;
  };
}

const refusals = {
  host: {
    status: 421,
    heading: 'Another address',
    sentence:
      'The console is not served at this address. Whoever runs it can set CONSOLE_URL to the address that people use.',
  },
  insecure: {
    status: 403,
    heading: 'No secure connection',
    sentence:
      'The console is served over HTTPS, or to a browser on the same machine. Whoever runs it can put a TLS proxy in front, and set CONSOLE_URL and TRUST_PROXY_HOPS.',
  },
  origin: {
    status: 403,
    heading: 'Not done',
    sentence: 'No page of the console sent this form. Nothing was changed.',
  },
} satisfies Record<string, Refusal>;

/** Whether nobody between the browser and us can read along: the browser is on this machine, or reached our proxies over TLS. */
function isSecure(ctx: Koa.Context, trustedProxyHops: number): boolean {
  if (isOwnMachine(ctx)) return true;
  // As X-Forwarded-For: only the proxies that are trusted are believed, and the outermost of them saw the browser.
  const cameThroughProxies = trustedProxyHops > 0 && ctx.state.origin?.address !== undefined;
  const schemes = ctx.get('X-Forwarded-Proto').split(',');
  const scheme = schemes.length === 1 ? schemes[0] : schemes.at(-trustedProxyHops);
  return cameThroughProxies && scheme?.trim().toLowerCase() === 'https';
}

/** By the browser's own word; older ones say where the form comes from. Programs that say neither have the API. */
function isSameOrigin(ctx: Koa.Context, consoleUrl: string | undefined): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('Origin').toLowerCase();
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === ctx.get('Host').toLowerCase() || origin === originOf(consoleUrl);
}

const originOf = (url: string | undefined) => url && new URL(url).origin;
