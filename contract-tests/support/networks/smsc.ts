/** An operator's SMSC, on npm's `smpp`: it counts what it is sent, reports that it was delivered, and passes on what phones write. */
import {
  npmSmpp,
  type PeerPdu,
  type PeerSession,
} from '../../../src/connectors/smpp/peers/npm-smpp-testing.ts';

export interface Smsc {
  port: number;
  /** How often each text came; a message's text is its own. */
  taken: Map<string, number>;
  /** When something came, by `performance.now()`. */
  takenMs: number[];
  /** Of binds. */
  refusals: number;
  onTaken: () => void;
  /** Somebody is bound. */
  bound: Promise<void>;
  /** Sends a deliver_sm to whom is bound; resolves to the status of the response. */
  deliver: (fields: object) => Promise<number>;
  close: () => Promise<void>;
}

interface Habits {
  /** How long after the submit_sm the response and the report come, in milliseconds; undefined: at once, and no report. */
  answerMs?: () => number;
  reportMs?: () => number;
  /** How many sessions an account may have at a time. */
  mostBinds?: number;
}

const alreadyBound = 0x0d;

export async function startSmsc({ answerMs, reportMs, mostBinds = 9 }: Habits = {}): Promise<Smsc> {
  const sessions = new Set<PeerSession>();
  const timers = new Set<NodeJS.Timeout>();
  /** Reports that nobody has acknowledged yet, by message id. */
  const unreported = new Map<string, object>();
  const bound = Promise.withResolvers<void>();

  const later = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
  };
  const deliver = (fields: object) =>
    new Promise<number>((resolve) => {
      const [session] = [...sessions].slice(-1);
      session?.deliver_sm(fields, ({ command_status }) => resolve(command_status));
    });
  const report = async (id: string) => {
    const fields = unreported.get(id);
    if (fields === undefined) return;
    await deliver(fields);
    unreported.delete(id);
  };
  const submit = (session: PeerSession, pdu: PeerPdu) => {
    const text = String(pdu.short_message?.message);
    smsc.taken.set(text, (smsc.taken.get(text) ?? 0) + 1);
    smsc.takenMs.push(performance.now());
    const id = String(smsc.takenMs.length);
    const respond = () => session.send(pdu.response({ message_id: id }));
    if (answerMs === undefined) respond();
    else later(answerMs(), respond);
    smsc.onTaken();
    if (reportMs === undefined) return;
    unreported.set(id, {
      source_addr: pdu.destination_addr,
      destination_addr: pdu.source_addr,
      esm_class: 4,
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2603011200 done date:2603011201 stat:DELIVRD err:000 text:`,
    });
    later(reportMs(), () => void report(id));
  };

  const server = npmSmpp.createServer((session) => {
    session.on('bind_transceiver', (pdu: PeerPdu) => {
      if (sessions.size >= mostBinds) {
        smsc.refusals += 1;
        session.send(pdu.response({ command_status: alreadyBound }));
        return;
      }
      session.send(pdu.response());
      sessions.add(session);
      bound.resolve();
      // What could not be reported before.
      for (const id of unreported.keys()) later(reportMs?.() ?? 0, () => void report(id));
    });
    session.on('submit_sm', (pdu: PeerPdu) => submit(session, pdu));
    for (const asked of ['enquire_link', 'unbind'])
      session.on(asked, (pdu: PeerPdu) => session.send(pdu.response()));
    for (const end of ['error', 'close']) session.on(end, () => sessions.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const smsc: Smsc = {
    port: server.address().port,
    taken: new Map(),
    takenMs: [],
    refusals: 0,
    onTaken: () => {},
    bound: bound.promise,
    deliver,
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearTimeout(timer);
        server.close(() => resolve());
        for (const session of sessions) session.destroy();
      }),
  };
  return smsc;
}
