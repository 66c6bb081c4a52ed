/** A server that notes what a client sends and responds as a test says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openedForAll } from '../../src/platform/db/opened-testing.ts';

export interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Parsed; undefined if the request has none. */
  body: unknown;
}

export type Reply = (response: ServerResponse) => void;

export interface ScriptedServer {
  url: string;
  /** The calls but those for a token, in order. */
  seen: Seen[];
  /** The form of each call for a token. */
  tokenForms: string[];
  /** Responses to the calls to come; afterwards 200. */
  replies: Reply[];
  tokenReplies: Reply[];
  /** Tokens that get a 401. */
  revoked: Set<string>;
  close: () => Promise<void>;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
export const file =
  (content: string): Reply =>
  (response) =>
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(content);
export const html =
  (status: number): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
export const cut: Reply = (response) => response.destroy();
export const breakOff: Reply = (response) => {
  response.writeHead(200, { 'Content-Length': '1000' });
  response.write('{"result":', () => response.destroy());
};
/** Without a length that would give it away. */
export const breakOffChunked: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{"result":', () => response.destroy());
};
export const silence: Reply = () => {};
export const stall: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
  response.write('{"result":');
};
/** A token that is valid for that many seconds. */
export const token = (value: string, seconds: number) =>
  json(200, { access_token: value, token_type: 'Bearer', expires_in: seconds, scope: 's' });

const accepted = json(200, {
  result: { type: 'SmsResponse', requestId: 'r', units: { Safaricom: 1 }, addresses: { Safaricom: 1 } },
});

/** For the tests of a describe. */
export const openedScriptedServer = (): ScriptedServer =>
  openedForAll(startScriptedServer, ({ close }) => close());

async function startScriptedServer(): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const tokenForms: string[] = [];
  const replies: Reply[] = [];
  const tokenReplies: Reply[] = [];
  const revoked = new Set<string>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { method = '', url: path = '', headers } = request;
    if (path === '/oauth/token') {
      tokenForms.push(text);
      return (tokenReplies.shift() ?? token(`t${tokenForms.length}`, 3600))(response);
    }
    seen.push({ method, path, headers, body: text === '' ? undefined : JSON.parse(text) });
    const isRevoked = revoked.has((headers.authorization ?? '').replace('Bearer ', ''));
    (isRevoked ? json(401, { desc: 'revoked' }) : (replies.shift() ?? accepted))(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    tokenForms,
    replies,
    tokenReplies,
    revoked,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
