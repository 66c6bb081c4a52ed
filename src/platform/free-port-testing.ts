/** A free port, for tests of programs that must know their port before they listen. */
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems give to outgoing connections: no other test's connection takes it during a restart. */
const firstPort = 10_000;
const ports = 20_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * ports);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await once(server.close(), 'close');
    return port;
  }
}
