/** The SMSC of the submit_sm benchmark, as a process of its own: as little as an SMSC can do, no binds, no reports. */
import { createServer } from 'node:net';
import { createLink } from '../../../src/connectors/smpp/session/link.ts';
import { systemTimers } from '../../../src/connectors/smpp/session/timers.ts';

let count = 0;
const server = createServer((socket) => {
  const link = createLink(socket, {
    timers: systemTimers,
    responseTimeoutMs: 60_000,
    enquireEveryMs: 600_000,
    enquireDeadlineMs: 60_000,
    onRequest: (request) => {
      count += 1;
      link.respond(request, 0, { systemId: 'bench', messageId: count.toString(16), tlvs: [] });
    },
    onClosed: () => {},
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
