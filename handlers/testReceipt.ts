/** Posts a signed sample to an endpoint of the caller. */
import type { Handler } from '../src/http/contract/operation.ts';
import type { PostSample } from '../src/receipts/sample.ts';

export function testReceipt(post: PostSample): Handler<'testReceipt'> {
  return async ({ caller, body, reply }) => reply(200, await post(caller.clientId, body.url));
}
