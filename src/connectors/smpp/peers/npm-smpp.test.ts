/** npm's `smpp` on the other side: as an ESME bound to our simulator, and as the SMSC of our connector. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startSimulatorSmsc } from '../../simulators/smsc-simulator.ts';
import { openConnector, sms, until } from '../fake-testing.ts';
import { systemTimers } from '../session/timers.ts';
import { npmSmpp, type PeerPdu, type PeerSession } from './npm-smpp-testing.ts';

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

describe('as a client of the simulator', () => {
  const connect = async (): Promise<PeerSession> => {
    const smsc = await startSimulatorSmsc('127.0.0.1', 0, pino({ level: 'silent' }));
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

  test('with a password of its own the simulator accepts no other', async () => {
    const smsc = await startSimulatorSmsc('127.0.0.1', 0, pino({ level: 'silent' }), 'secret');
    ends.push(smsc.close);
    const session = npmSmpp.connect({ url: `smpp://127.0.0.1:${smsc.port}` }, () => {});
    ends.push(() => session.destroy());
    const bind = (password: string) =>
      new Promise<PeerPdu>((resolve) => session.bind_transceiver({ system_id: 'trial', password }, resolve));
    expect(await bind('trial')).toMatchObject({ command_status: 0x0e });
    expect(await bind('secret')).toMatchObject({ command_status: 0 });
  });

  test.each([
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

  test.each([
    ['254711000001', 0x65],
    ['254711000005', 0x0b],
    ['254711000010', 0x58],
  ])('%s is rejected', async (to, status) => {
    expect((await submit(await connect(), to)).command_status).toBe(status);
  });

  test('enquiries and unbinding get responses', async () => {
    const session = await connect();
    const answers = [
      await new Promise<PeerPdu>((resolve) => session.enquire_link(resolve)),
      await new Promise<PeerPdu>((resolve) => session.unbind(resolve)),
    ];
    expect(answers.map(({ command }) => command)).toEqual(['enquire_link_resp', 'unbind_resp']);
  });
});

describe('as the SMSC of a connector', () => {
  test('reads our texts and headers, and we read its reports', async () => {
    const received: PeerPdu[] = [];
    const sessions: PeerSession[] = [];
    const server = npmSmpp.createServer((session) => {
      sessions.push(session);
      session.on('error', () => {});
      session.on('bind_transceiver', (pdu: PeerPdu) => session.send(pdu.response()));
      session.on('unbind', (pdu: PeerPdu) => session.send(pdu.response()));
      session.on('submit_sm', (pdu: PeerPdu) => {
        received.push(pdu);
        const id = `npm-${received.length}`;
        // The report first: it may overtake the response.
        const text = `id:${id} sub:001 dlvrd:001 submit date:2611210733 done date:2611210733 stat:DELIVRD err:000 text:`;
        const fields = { source_addr: pdu.destination_addr, esm_class: 4, short_message: text };
        session.deliver_sm(fields, () => {});
        session.send(pdu.response({ message_id: id }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise<void>((resolve) => server.close(resolve)));
    ends.push(() => sessions.map((session) => session.destroy()));
    const opened = openConnector({ port: server.address().port, rate: 10_000 }, systemTimers);
    const { connector, reports } = opened;
    ends.push(() => connector.close?.());
    await until(() => connector.state?.().bound === 1, 'being bound');

    const texts = ['Habari €uro {ok}', 'Привет 😀', `${'я'.repeat(66)}😀${'я'.repeat(66)}`];
    const outcomes = await connector.send(texts.map((text, index) => sms(String(index + 1), text)));
    const partIds = outcomes.flatMap((outcome) =>
      outcome.kind === 'accepted' ? (outcome.partIds ?? outcome.networkId) : [],
    );
    expect(partIds).toEqual(['npm-1', 'npm-2', 'npm-3', 'npm-4', 'npm-5']);
    const shown = received.map(({ short_message }) => String(short_message?.message));
    expect([shown[0], shown[1], shown.slice(2).join('')]).toEqual(texts);
    expect(
      received
        .slice(2)
        .map(({ short_message }) => short_message?.udh?.map((element) => element.toString('hex')).join()),
    ).toEqual(['0003030301', '0003030302', '0003030303']);
    await until(() => reports.length === 5, 'all reports');
    expect(reports.map(({ networkId, state }) => `${networkId} ${state}`)).toEqual(
      partIds.map((id) => `${id} Delivered`),
    );
  });
});
