/** Puts the address of this service into samples, and on a demo of one's own machine the credentials too. */
import { changeParts } from '../render/fences.ts';

export interface Credentials {
  clientId: string;
  clientSecret: string;
  signingSecret: string;
}

/** What a visitor of a demo may use without typing it. */
export interface DemoAccess {
  /** On the listener of the public API. */
  client?: Credentials | undefined;
  /** Of the demo's owner, on the listener of the management API. */
  accessKey?: string | undefined;
}

const exampleUrl = 'http://127.0.0.1:3000';

/** `text` is Markdown; only its blocks of code change. */
export function personalised(text: string, publicUrl: string, credentials: Credentials | undefined): string {
  return changeParts(text, 'code', (block) => {
    const own = block.replaceAll('$TARISHI_URL/', `${publicUrl}/`).replaceAll(exampleUrl, publicUrl);
    return credentials === undefined ? own : withCredentials(own, credentials);
  });
}

function withCredentials(block: string, { clientId, clientSecret, signingSecret }: Credentials): string {
  return block
    .replaceAll('TARISHI_CLIENT_SECRET=…', `TARISHI_CLIENT_SECRET=${clientSecret}`)
    .replaceAll('"client_secret=$TARISHI_CLIENT_SECRET"', `'client_secret=${clientSecret}'`)
    .replaceAll('client_id=demo', `client_id=${clientId}`)
    .replaceAll('TARISHI_SIGNING_SECRET=…', `TARISHI_SIGNING_SECRET=${signingSecret}`);
}
