/** Forms of tokens that providers send, and forgeries. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import { testEvery } from '../../platform/for-every-testing.ts';
import {
  audience,
  createScriptedVerify,
  createSigner,
  type ScriptedIssuer,
  type Signer,
  signed,
  startScriptedIssuer,
} from './scripted-issuer-testing.ts';

const scope = 'message.sms.send.oneway';
let issuer: ScriptedIssuer;
let signer: Signer;
let other: Signer;
beforeAll(async () => {
  issuer = await startScriptedIssuer('/realms/partners');
  [signer, other] = await Promise.all([createSigner('one'), createSigner('other')]);
});
afterAll(() => issuer.stop());
beforeEach(() => {
  issuer.keys = [signer.published];
});

const verify = (token: string, settings?: object) => createScriptedVerify(issuer, settings).verify(token);
const sign = (claims: JWTPayload, header?: object) => signer.sign({ iss: issuer.issuer, ...claims }, header);
const expectRefusal = (verified: Promise<unknown>) => expect(verified).rejects.toMatchObject({ status: 401 });

/** As Keycloak writes them: no client_id, and a list of audiences. */
const keycloak = {
  typ: 'Bearer',
  azp: 'shop',
  aud: [audience, 'account'],
  sub: '2f0c2f6e-6a0b-4c8e-9d0e-6f1f8e1f7a11',
  scope: `profile ${scope} email`,
  realm_access: { roles: ['offline_access'] },
};

describe('accepted', () => {
  testEvery<[string, JWTPayload, header: object, settings: object, object]>([
    [
      "Keycloak's access tokens",
      keycloak,
      { typ: 'JWT' },
      {},
      { clientId: 'shop', scopes: ['profile', scope, 'email'] },
    ],
    [
      'scopes as a list, in a claim of another name',
      { azp: 'shop', scp: [scope, 7, ''] },
      {},
      { scopeClaim: 'scp' },
      { scopes: [scope] },
    ],
    ['no scopes, which permit nothing', { azp: 'shop' }, {}, {}, { scopes: [] }],
    [
      'one that does not name its key, where there is only one',
      keycloak,
      { kid: undefined },
      {},
      { clientId: 'shop' },
    ],
  ])('%s', async (_what, claims, header, settings, verified) => {
    expect(await verify(await sign(claims, header), settings)).toMatchObject(verified);
  });

  test('keys for encryption, and of unknown kinds, beside the one that signs', async () => {
    issuer.keys = [{ kty: 'XX', kid: 'x' }, { ...other.published, use: 'enc' }, signer.published];
    expect(await verify(await sign(keycloak))).toMatchObject({ clientId: 'shop' });
  });

  test('an issuer whose name ends with a slash', async () => {
    const slashed = await startScriptedIssuer('/');
    slashed.keys = [signer.published];
    const token = await signer.sign({ iss: slashed.issuer, azp: 'shop' });
    expect(await createScriptedVerify(slashed).verify(token)).toMatchObject({ issuer: slashed.issuer });
    await slashed.stop();
  });
});

describe('refused', () => {
  test('the published key taken as a shared secret', async () => {
    const key = await importJWK(signer.published, 'RS256', { extractable: true });
    const secret = new TextEncoder().encode(await exportSPKI(key as never));
    const claims = { iss: issuer.issuer, ...keycloak };
    await expectRefusal(verify(await signed(claims, { alg: 'HS256', kid: 'one' }, secret)));
  });

  test('no signature', async () => {
    const [, claims] = (await sign(keycloak)).split('.');
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    await expectRefusal(verify(`${header}.${claims}.`));
  });

  test('a key that comes with the token', async () => {
    const token = await other.sign({ iss: issuer.issuer, ...keycloak }, { jwk: other.published, kid: 'one' });
    await expectRefusal(verify(token));
  });

  test('a token that does not name its key, where there are several', async () => {
    issuer.keys = [signer.published, other.published];
    await expectRefusal(verify(await sign(keycloak, { kid: undefined })));
  });

  testEvery<[string, object, object]>([
    ['an ID token', { typ: 'ID' }, {}],
    ['a logout token', {}, { typ: 'logout+jwt' }],
    ['another audience only', { aud: ['account'] }, {}],
    ['no expiry', { exp: undefined }, {}],
    ['one that expired a minute ago', { exp: Math.floor(Date.now() / 1000) - 60 }, {}],
    ['no time of issue', { iat: undefined }, {}],
    ['not valid before tomorrow', { nbf: Math.floor(Date.now() / 1000) + 86_400 }, {}],
    ['issued tomorrow', { iat: Math.floor(Date.now() / 1000) + 86_400 }, {}],
    ['a client that is not a string', { azp: 7 }, {}],
    ['a client that no database holds', { azp: 'a\0b' }, {}],
    ['a name of the issuer that differs by a slash', { iss: 'slash' }, {}],
  ])('%s', async (_what, claims, header) => {
    const named = 'iss' in claims ? { iss: `${issuer.issuer}/` } : claims;
    await expectRefusal(sign({ ...keycloak, ...named }, header).then((token) => verify(token)));
  });
});
