/** An operator's SMSC for tours, on npm's `smpp`: it counts what it is sent, and reports that it was delivered. */
import {
  npmSmpp,
  type PeerPdu,
  type PeerSession,
} from '../../../src/connectors/smpp/peers/npm-smpp-testing.ts';

export interface Smsc {
  port: number;
  /** How often each text came; a message's text is its own. */
  taken: Map<string, number>;
  close: () => Promise<void>;
}

/** How long after the submit_sm the response and the report come, in milliseconds. */
interface Pace {
  answerMs: () => number;
  reportMs: () => number;
}

const ok = 0;

export async function startSmsc({ answerMs, reportMs }: Pace): Promise<Smsc> {
  const sessions = new Set<PeerSession>();
  const timers = new Set<NodeJS.Timeout>();
  /** Reports that nobody has acknowledged yet, by message id. */
  const unreported = new Map<string, object>();
  let lastId = 0;

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const report = (id: string) => {
    const fields = unreported.get(id);
    const [session] = [...sessions].slice(-1);
    if (fields !== undefined) session?.deliver_sm(fields, () => unreported.delete(id));
  };
  const submit = (session: PeerSession, pdu: PeerPdu) => {
    const text = String(pdu.short_message?.message);
    lastId += 1;
    const id = String(lastId);
    smsc.taken.set(text, (smsc.taken.get(text) ?? 0) + 1);
    unreported.set(id, {
      source_addr: pdu.destination_addr,
      destination_addr: pdu.source_addr,
      esm_class: 4,
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2603011200 done date:2603011201 stat:DELIVRD err:000 text:`,
    });
    later(answerMs(), () => session.send(pdu.response({ message_id: id })));
    later(reportMs(), () => report(id));
  };

  const server = npmSmpp.createServer((session) => {
    const bind = (pdu: PeerPdu) => {
      session.send(pdu.response({ command_status: ok }));
      sessions.add(session);
      // What could not be reported before.
      for (const id of unreported.keys()) later(reportMs(), () => report(id));
    };
    const gone = () => sessions.delete(session);
    session.on('bind_transceiver', bind);
    session.on('submit_sm', (pdu: PeerPdu) => submit(session, pdu));
    session.on('enquire_link', (pdu: PeerPdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: PeerPdu) => session.send(pdu.response()));
    session.on('error', gone);
    session.on('close', gone);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const smsc: Smsc = {
    port: server.address().port,
    taken: new Map(),
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
  return smsc;
}
