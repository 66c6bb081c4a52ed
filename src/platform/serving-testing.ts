/** Serves HTTP on a free port of this machine, for tests. */
import { createServer, type RequestListener } from 'node:http';
import { bind } from './bind.ts';

export interface Serving {
  url: string;
  close: () => Promise<void>;
}

export async function serving(listener: RequestListener): Promise<Serving> {
  const server = createServer(listener);
  const port = await bind(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
