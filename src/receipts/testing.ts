/** Shared by tests of callbacks: servers that count connections, and addresses that callbacks may never reach. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { type CallbackClient, type CallbackClientOptions, createCallbackClient } from './callback/client.ts';
import { createDestinations } from './callback/destination.ts';

export interface Listener {
  port: number;
  /** Connections until now. Knocks itself, and so has seen everybody who came earlier. */
  connections: () => Promise<number>;
  /** Most connections that were open at once. */
  mostOpen: () => number;
  /** Bytes that came in over all of them. */
  bytesReceived: () => number;
  /** Resolves when no connection is open. */
  deserted: () => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a server of node:net, node:http or node:https on an IPv4 address. */
async function startListener(server: Server, host = '127.0.0.1', port = 0): Promise<Listener> {
  const sockets: Socket[] = [];
  const open = new Set<Socket>();
  let mostOpen = 0;
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    open.add(socket);
    mostOpen = Math.max(mostOpen, open.size);
    socket.on('error', () => {});
    socket.once('close', () => open.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  let knocks = 0;
  return {
    port: address.port,
    connections: async () => {
      const knock = connect(address.port, host === '0.0.0.0' ? '127.0.0.1' : host);
      await once(knock, 'connect');
      while (!sockets.some(({ remotePort }) => remotePort === knock.localPort))
        await once(server, 'connection');
      knock.destroy();
      knocks += 1;
      return sockets.length - knocks;
    },
    mostOpen: () => mostOpen,
    bytesReceived: () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0),
    deserted: async () => {
      // Not `once` of node:events, which rejects on an error.
      await Promise.all([...open].map((socket) => new Promise((gone) => socket.once('close', gone))));
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export interface TestBed {
  listen: (server: Server, host?: string, port?: number) => Promise<Listener & { url: string }>;
  /** A client that may reach this machine, unless the options say otherwise. */
  client: (options?: Partial<CallbackClientOptions>) => CallbackClient;
  onEnd: (end: () => unknown) => void;
  /** Ends what one test began, the latest first. */
  end: () => Promise<void>;
}

export function createTestBed(): TestBed {
  const ends: (() => unknown)[] = [];
  return {
    listen: async (server, host, port) => {
      const listener = await startListener(server, host, port);
      ends.push(listener.close);
      return { ...listener, url: `http://${host ?? '127.0.0.1'}:${listener.port}/` };
    },
    client: (options) => {
      const client = createCallbackClient({
        destinations: createDestinations({ allowLoopback: true }),
        ...options,
      });
      ends.push(client.close);
      return client;
    },
    onEnd: (end) => ends.push(end),
    end: async () => {
      for (const end of ends.splice(0).reverse()) await end();
    },
  };
}

/** Writes until the connection is gone; returns how many bytes the other side took. */
export function flood(socket: Socket, chunk: string): Promise<number> {
  return new Promise((resolve) => {
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    socket.once('close', () => resolve(socket.bytesWritten));
    more();
  });
}

/** Far more than fits between two sockets, and far less than a flood. */
export const floodLimitBytes = 32 * 1024 * 1024;

/** Hosts of URLs that lead to this machine over IPv4. */
export const ownHosts: readonly [rule: string, host: string][] = [
  ['four decimals', '127.0.0.1'],
  ['one decimal', '2130706433'],
  ['one hexadecimal', '0x7f000001'],
  ['one octal', '017700000001'],
  ['an octal part', '0177.0.0.1'],
  ['an octal part with more zeros', '00000000177.0.0.1'],
  ['a hexadecimal part', '0x7f.0.0.1'],
  ['all parts hexadecimal', '0X7F.0x0.0x0.0x1'],
  ['two parts', '127.1'],
  ['three parts', '127.0.1'],
  ['two parts, octal', '0177.1'],
  ['two parts, hexadecimal', '0x7f.1'],
  ['mixed bases', '127.0x000001'],
  ['a dot at the end', '127.0.0.1.'],
  ['the end of the block', '127.255.255.254'],
  ['percent signs', '%31%32%37.0.0.1'],
  ['full-width digits', '\uff11\uff12\uff17.0.0.1'],
  ['digits in circles', '\u2460\u2461\u2466.0.0.1'],
  ['ideographic full stops', '127\u30020\u30020\u30021'],
  ['unspecified', '0.0.0.0'],
  ['unspecified, short', '0'],
  ['unspecified, hexadecimal', '0x0'],
];

/** Hosts of URLs that lead to other private or special addresses, or to this machine over IPv6. */
export const privateHosts: readonly [rule: string, host: string][] = [
  ['IPv6 loopback', '[::1]'],
  ['IPv6 loopback in full', '[0:0:0:0:0:0:0:1]'],
  ['IPv6 loopback with zeros', '[0000:0000:0000:0000:0000:0000:0000:0001]'],
  ['IPv6 unspecified', '[::]'],
  ['mapped', '[::ffff:127.0.0.1]'],
  ['mapped, hexadecimal', '[::ffff:7f00:1]'],
  ['mapped, in full and capitals', '[0:0:0:0:0:FFFF:7F00:0001]'],
  ['compatible', '[::127.0.0.1]'],
  ['compatible, hexadecimal', '[::7f00:1]'],
  ['translated (RFC 6145)', '[::ffff:0:127.0.0.1]'],
  ['NAT64', '[64:ff9b::127.0.0.1]'],
  ['NAT64, hexadecimal', '[64:ff9b::7f00:1]'],
  ['NAT64 of a public address', '[64:ff9b::8.8.8.8]'],
  ['local NAT64', '[64:ff9b:1::7f00:1]'],
  ['6to4', '[2002:7f00:1::]'],
  ['6to4 of the metadata service', '[2002:a9fe:a9fe::1]'],
  ['Teredo', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  ['10/8', '10.0.0.1'],
  ['10/8, its end', '10.255.255.255'],
  ['10/8, octal', '012.0.0.1'],
  ['10/8, one decimal', '167772161'],
  ['10/8, mapped', '[::ffff:10.0.0.1]'],
  ['172.16/12', '172.16.0.1'],
  ['172.16/12, its end', '172.31.255.255'],
  ['192.168/16', '192.168.0.1'],
  ['192.168/16, one decimal', '3232235521'],
  ['192.168/16, two parts', '192.11010049'],
  ['CGNAT', '100.64.0.1'],
  ['CGNAT, its end', '100.127.255.255'],
  ['metadata', '169.254.169.254'],
  ['metadata, one decimal', '2852039166'],
  ['metadata, one hexadecimal', '0xa9fea9fe'],
  ['metadata, octal', '0251.0376.0251.0376'],
  ['metadata, three parts', '169.254.43518'],
  ['metadata, mapped', '[::ffff:169.254.169.254]'],
  ['metadata, mapped hexadecimal', '[::ffff:a9fe:a9fe]'],
  ['metadata over IPv6', '[fd00:ec2::254]'],
  ['metadata inside CGNAT', '100.100.100.200'],
  ['metadata inside 192.0.0/24', '192.0.0.192'],
  ['168.63.129.16', '168.63.129.16'],
  ['168.63.129.16, hexadecimal', '0xa83f8110'],
  ['168.63.129.16, mapped', '[::ffff:168.63.129.16]'],
  ['link-local', '[fe80::1]'],
  ['site-local', '[fec0::1]'],
  ['unique local', '[fc00::1]'],
  ['multicast', '224.0.0.1'],
  ['IPv6 multicast', '[ff02::1]'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['benchmarking', '198.18.0.1'],
  ['6to4 relays', '192.88.99.1'],
  ['IPv6 documentation', '[2001:db8::1]'],
  ['IPv6 documentation, the newer block', '[3fff::1]'],
  ['discard', '[100::1]'],
  ['segment routing', '[5f00::1]'],
];

export interface Identity {
  /** PEM */
  cert: string;
  /** PEM */
  key: string;
}

/** A key and a certificate that it signs itself, for one host name (X.509, RFC 5280). */
export function selfSigned(hostname: string): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, der(0x06, '2a8648ce3d040302'));
  const commonName = der(0x30, der(0x06, '550403'), der(0x0c, Buffer.from(hostname)));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(
    0x30,
    der(0x17, Buffer.from('250101000000Z')),
    der(0x17, Buffer.from('491231235959Z')),
  );
  const hostnames = der(0x30, der(0x82, Buffer.from(hostname)));
  const alternativeNames = der(0x30, der(0x06, '551d11'), der(0x04, hostnames));
  const certificate = der(
    0x30,
    der(0xa0, der(0x02, '02')),
    der(0x02, '01'),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternativeNames)),
  );
  const signature = der(0x03, '00', sign('sha256', certificate, privateKey));
  const base64 = der(0x30, certificate, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** Tag, length, contents (X.690); a string is hexadecimal. */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)),
  );
  const { length } = content;
  const lengths = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengths]), content]);
}
