/** The simulated SMSC as npm's `smpp` sees it: the script of a number decides on the response and the report. */
import { afterEach, expect } from '@jest/globals';
import { pino } from 'pino';
import { publishedScripts } from '../../../connectors/simulators/published-scripts.ts';
import { npmSmpp, type PeerPdu, type PeerSession } from '../../../connectors/smpp/peers/npm-smpp-testing.ts';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { startSimulatedSmsc } from './simulated.ts';

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

const connect = async (): Promise<PeerSession> => {
  const smsc = await startSimulatedSmsc(
    { host: '127.0.0.1', port: 0 },
    publishedScripts.sms,
    pino({ level: 'silent' }),
  );
  ends.push(smsc.close);
  const session = await new Promise<PeerSession>((resolve) => {
    const one = npmSmpp.connect({ url: `smpp://127.0.0.1:${smsc.port}` }, () => resolve(one));
  });
  ends.push(() => session.destroy());
  const bound = await new Promise<PeerPdu>((resolve) =>
    session.bind_transceiver({ system_id: 'trial', password: 'trial' }, resolve),
  );
  expect(bound).toMatchObject({ command_status: 0, system_id: 'tarishi' });
  return session;
};
const submit = (session: PeerSession, to: string, more: object = {}) =>
  new Promise<PeerPdu>((resolve) =>
    session.submit_sm(
      {
        source_addr: 'TRIAL',
        destination_addr: to,
        short_message: 'Habari',
        registered_delivery: 1,
        ...more,
      },
      resolve,
    ),
  );

testEvery([
  ['254711001000', 'DELIVRD', 2],
  ['254711000002', 'EXPIRED', 3],
  ['254711000006', 'UNDELIV', 5],
  ['254711000003', 'REJECTD', 8],
  ['254711000007', 'UNKNOWN', 7],
])('%s is reported as %s', async (to, word, state) => {
  const session = await connect();
  const report = new Promise<PeerPdu>((resolve) => session.on('deliver_sm', resolve));
  const { message_id: id, command_status } = await submit(session, to);
  expect(command_status).toBe(0);
  expect(id).toMatch(/^[0-9A-F]{8}$/);
  const said = await report;
  expect(said).toMatchObject({
    esm_class: 4,
    source_addr: to,
    destination_addr: 'TRIAL',
    receipted_message_id: id,
    message_state: state,
  });
  expect(String(said.short_message?.message)).toContain(`id:${id} sub:001`);
  expect(String(said.short_message?.message)).toContain(`stat:${word}`);
  session.send(said.response());
});

testEvery([
  ['254711000001', 0x65],
  ['254711000005', 0x0b],
  ['254711000010', 0x58],
])('%s is rejected', async (to, status) => {
  expect((await submit(await connect(), to)).command_status).toBe(status);
});
