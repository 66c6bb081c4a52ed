/** Two workers on an account with one bind: never two binds, and the one that is left sends soon after the other has died. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Smsc, startSmsc } from '../../support/networks/smsc.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { phones, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { type Beside, startBeside } from '../../support/service/deployment.ts';
import { describeOnPostgres } from '../../support/service/on-postgres.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { rowsOf, topUp, withStoredData } from '../../support/service/stored-data.ts';

const rate = 50;
const deaths = 10;
const leases = { CONNECTOR_LEASE_SECONDS: '8', ALLOW_LOOPBACK_CALLBACKS: 'true' };

describeOnPostgres('the embedded database serves one process')('an account with one bind', () => {
  let smsc: Smsc;
  let service: Service;
  let api: Beside;
  const workers = new Set<Beside>();
  const startWorker = async () => workers.add(await startBeside(service, 'work', leases));

  beforeAll(async () => {
    smsc = await startSmsc({ mostBinds: 1 });
    service = await startService({}, async (prepared) => {
      await addSafaricomConnector(prepared, {
        name: 'smsc',
        kind: 'smpp',
        settings: { host: '127.0.0.1', port: smsc.port, systemId: 'acme', binds: 1, rate },
        secrets: { password: 'secret' },
      });
    });
    await service.stop();
    await withStoredData(service, (knex) => topUp(knex, service.demo.clientId, 1_000_000));
    api = await startBeside(service, 'serve', { RATE_LIMIT_PER_SECOND: '100000' });
  }, 120_000);
  afterAll(async () => {
    for (const process of [...workers, api]) await process?.kill();
    await service?.dispose();
    await smsc?.close();
  });

  /** As operators see it. */
  const holder = () =>
    withStoredData(service, async (knex) => {
      const [row] = await rowsOf<{ holder: string }>(
        knex,
        'select holder from connector_leases where process is not null and until > now()',
      );
      return [...workers].find(({ process }) => row?.holder.endsWith(`:${process.pid}`));
    });

  test(`the one that sends is killed, ${deaths} times: each time another sends within 40 s, and never two are bound`, async () => {
    const token = await tokenFor(api.baseUrl, service.demo);
    for (let request = 0; request < 120; request += 1)
      expect(
        (
          await call(api.baseUrl, `/message/${service.demo.smsServiceId}`, {
            token,
            body: toMany(phones(100)),
          })
        ).status,
      ).toBe(200);
    const sentSoon = () =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('nothing was sent for 40 s')), 40_000);
        smsc.onTaken = () => {
          clearTimeout(late);
          resolve();
        };
      });
    const first = sentSoon();
    await Promise.all([startWorker(), startWorker()]);
    await first;
    for (let death = 0; death < deaths; death += 1) {
      const sending = await holder();
      if (sending === undefined) throw new Error('no worker of this test holds the account');
      await sending.kill();
      workers.delete(sending);
      await Promise.all([sentSoon(), startWorker()]);
    }
    expect(smsc.refusals).toBe(0);
    // Over five seconds, so that a machine that stands still for a moment counts little; two workers would send twice as much.
    for (const startMs of smsc.takenMs) {
      const within = smsc.takenMs.filter((atMs) => atMs >= startMs && atMs < startMs + 5_000).length;
      expect(within).toBeLessThanOrEqual(6 * rate);
    }
  }, 600_000);
});
