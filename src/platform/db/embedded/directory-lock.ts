/** Prevents two processes from sharing a data directory, by a listening socket that the system releases however a process ends. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unusable } from './data-directory.ts';

/** sun_path holds 108 bytes on Linux and 104 on macOS, its NUL included. */
const longestSocketPathBytes = 100;

/** Longer than a starter takes from finding a lock dead to clearing it away. */
const takeOverMs = 200;

export class DirectoryInUse extends Error {
  /** Who uses it, such as `process 4711`. */
  readonly user: string;

  /** `owner`: as it responds at the lock. */
  constructor(directory: string, owner: string | undefined) {
    const [pid] = owner?.split(' ') ?? [];
    const user = pid === undefined ? 'another process' : `process ${pid}`;
    super(`${user} uses the data directory ${directory}: stop it, or set DATA_DIR to another directory`);
    this.user = user;
  }
}

/**
 * Takes the lock of an existing directory; the returned function releases it. Throws DirectoryInUse if another
 * process holds it.
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const path = socketPath(realpathSync(directory));
  const owner = `${process.pid} ${randomUUID()}`;
  const server = await obtain(path, owner).catch((error: unknown) => {
    throw unusable(directory, error);
  });
  // Two starters may both have cleared a dead lock: the one whose socket is no longer at the path has lost.
  const holder = await ownerOf(path);
  if (server === undefined || holder !== owner) {
    server?.close();
    throw new DirectoryInUse(directory, holder);
  }
  server.unref();
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** Throws DirectoryInUse if another process holds the lock, without taking it: sooner than what a command loads to open the database. */
export async function requireUnlocked(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  const holder = await ownerOf(socketPath(realpathSync(directory)));
  if (holder !== undefined) throw new DirectoryInUse(directory, holder);
}

function socketPath(directory: string): string {
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\tarishi-${hash}`;
  const beside = join(directory, 'lock.sock');
  return Buffer.byteLength(beside) <= longestSocketPathBytes
    ? beside
    : join(tmpdir(), `tarishi-${hash}.sock`);
}

async function obtain(path: string, owner: string): Promise<Server | undefined> {
  return (await listen(path, owner)) ?? takeOver(path, owner);
}

async function takeOver(path: string, owner: string): Promise<Server | undefined> {
  if ((await ownerOf(path)) !== undefined) return undefined;
  rmSync(path, { force: true });
  const server = await listen(path, owner);
  // Another starter may have found the dead lock as we did, and clear away ours instead.
  if (server !== undefined) await delay(takeOverMs);
  return server;
}

function listen(path: string, owner: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.end(owner);
    });
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(path, () => resolve(server));
  });
}

/** The process that responds at the path; undefined: none. */
function ownerOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let owner = '';
    const socket = connect(path);
    socket.on('data', (bytes) => {
      owner += bytes.toString();
    });
    socket.on('error', () => resolve(undefined));
    socket.on('close', () => resolve(owner));
  });
}
