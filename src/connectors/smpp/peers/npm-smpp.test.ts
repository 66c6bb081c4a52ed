/** npm's `smpp` on the other side, as the SMSC of our connector. */

import { afterEach, expect, test } from '@jest/globals';
import { longLease } from '../../contract/lease-testing.ts';
import { openConnector, sms, until } from '../fake-testing.ts';
import { systemTimers } from '../session/timers.ts';
import { npmSmpp, type PeerPdu, type PeerSession } from './npm-smpp-testing.ts';

let ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  ends = [];
});

test('reads our texts and headers, and we read its reports', async () => {
  const received: PeerPdu[] = [];
  const server = npmSmpp.createServer((session: PeerSession) => {
    ends.push(() => session.destroy());
    session.on('error', () => {});
    for (const command of ['bind_transceiver', 'unbind'])
      session.on(command, (pdu: PeerPdu) => session.send(pdu.response()));
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
  ends.push(() => server.close(() => {}));
  const { connector, reports } = openConnector({ port: server.address().port, rate: 10_000 }, systemTimers);
  ends.push(() => connector.close?.());
  await until(() => connector.state?.().bound === 1, 'being bound');

  const texts = ['Habari €uro {ok}', 'Привет 😀', `${'я'.repeat(66)}😀${'я'.repeat(66)}`];
  const outcomes = await connector.send(
    texts.map((text, index) => sms(String(index + 1), text)),
    longLease,
  );
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
