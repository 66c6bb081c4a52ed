/** Exchanges client credentials for an access token. */
import type { ServiceHandler } from './service.ts';

export const issueToken: ServiceHandler<'issueToken'> = async (
  { body, authorization, address, reply },
  { grant },
) => {
  const { accessToken, expiresInSeconds, scope } = await grant({ form: body, authorization, address });
  return reply(
    200,
    { access_token: accessToken, token_type: 'Bearer', expires_in: expiresInSeconds, scope },
    { 'Cache-Control': 'no-store' },
  );
};
