/** Finds a free TCP port. */
import { createServer } from 'node:net';

/** `port`, or any when it is 0. Rejects when it is in use, naming its setting, or `host` is not of this machine. */
export function freePort(host = '127.0.0.1', port = 0, setting = 'PORT'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} of ${host} is in use; ${setting} sets another`)
          : error,
      ),
    );
    probe.listen({ port, host }, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' ? (address?.port ?? port) : port));
    });
  });
}
