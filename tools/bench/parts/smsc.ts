/** An SMSC that costs little: accepts every submit_sm and reports its delivery at once, over the same connection. */
import { createServer, type Socket } from 'node:net';
import { servePart } from './part.ts';

export type SmscCalls = {
  port: () => number;
  submitted: () => number;
};

const headerOctets = 16;
const commands = { submitSm: 0x04, deliverSm: 0x05, deliverSmResp: 0x80000005, genericNack: 0x80000000 };
const response = 0x80000000;
/** Of every request but submit_sm: an empty C-octet string, which a bind reads as the SMSC's name. */
const emptyText = Buffer.from([0]);
/** A report that was not taken is sent again after so long. */
const repeatAfterMs = 500;

await servePart(async ({ reports }: { reports: boolean }) => {
  let submitted = 0;
  let lastSequence = 0;

  const serve = (socket: Socket) => {
    const unanswered = new Map<number, Buffer>();
    let out: Buffer[] = [];
    let buffered: Buffer = Buffer.alloc(0);

    const report = (sequence: number, message: Buffer) => {
      unanswered.set(sequence, message);
      out.push(pdu(commands.deliverSm, sequence, message));
    };
    const onResponse = (sequence: number, status: number) => {
      const message = unanswered.get(sequence);
      unanswered.delete(sequence);
      if (status === 0 || message === undefined) return;
      setTimeout(() => socket.write(pdu(commands.deliverSm, sequence, message)), repeatAfterMs);
      unanswered.set(sequence, message);
    };
    const answer = (octets: Buffer) => {
      const command = octets.readUInt32BE(4);
      const sequence = octets.readUInt32BE(12);
      if (command === commands.deliverSmResp) return onResponse(sequence, octets.readUInt32BE(8));
      if (command >= commands.genericNack) return;
      if (command !== commands.submitSm) {
        out.push(pdu(command + response, sequence, emptyText));
        return;
      }
      submitted += 1;
      const id = submitted.toString(16).toUpperCase().padStart(8, '0');
      out.push(pdu(command + response, sequence, Buffer.from(`${id}\0`)));
      lastSequence += 1;
      if (reports) report(lastSequence, reportOf(octets, id));
    };

    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk]);
      let from = 0;
      while (buffered.length - from >= headerOctets) {
        const length = buffered.readUInt32BE(from);
        if (buffered.length - from < length) break;
        answer(buffered.subarray(from, from + length));
        from += length;
      }
      buffered = buffered.subarray(from);
      if (out.length > 0) socket.write(Buffer.concat(out));
      out = [];
    });
  };

  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: () => (typeof address === 'object' ? address?.port : 0),
    submitted: () => submitted,
  };
});

function pdu(command: number, sequence: number, body: Buffer): Buffer {
  const octets = Buffer.allocUnsafe(headerOctets + body.length);
  octets.writeUInt32BE(octets.length, 0);
  octets.writeUInt32BE(command, 4);
  octets.writeUInt32BE(0, 8);
  octets.writeUInt32BE(sequence, 12);
  body.copy(octets, headerOctets);
  return octets;
}

/** esm_class 4 says that it is a delivery receipt (SMPP 3.4, section 5.2.12). */
const settings = Buffer.from([4, 0, 0, 0, 0, 0, 0, 0, 0]);
/** message_state (section 5.2.28): delivered. */
const delivered = Buffer.from([0x04, 0x27, 0, 1, 2]);

/** The body of the deliver_sm: both addresses change places. */
function reportOf(submit: Buffer, id: string): Buffer {
  const source = submit.indexOf(0, headerOctets) + 1;
  const destination = submit.indexOf(0, source + 2) + 1;
  const end = submit.indexOf(0, destination + 2) + 1;
  const text = `id:${id} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:DELIVRD err:000 text:`;
  const receipted = Buffer.from([0x00, 0x1e, 0, id.length + 1]);
  return Buffer.concat([
    emptyText,
    submit.subarray(destination, end),
    submit.subarray(source, destination),
    settings,
    Buffer.from([text.length]),
    Buffer.from(text),
    receipted,
    Buffer.from(`${id}\0`),
    delivered,
  ]);
}
