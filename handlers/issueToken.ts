/** Exchanges client credentials for an access token. */
import type { TokenRequest } from '../src/clients/grant.ts';
import type { IssuedToken } from '../src/clients/tokens.ts';
import type { Handler } from '../src/http/contract/operation.ts';

export type Grant = (request: TokenRequest) => Promise<IssuedToken>;

export function issueToken(grant: Grant): Handler<'issueToken'> {
  return async ({ body, authorization, address, reply }) => {
    const { accessToken, expiresInSeconds, scope } = await grant({ form: body, authorization, address });
    return reply(
      200,
      { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds, scope },
      { 'Cache-Control': 'no-store' },
    );
  };
}
