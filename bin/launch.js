/**
 * Runs a program on the Node that this project needs: the one that runs this file if it is recent enough, otherwise
 * the one that npm installed with the packages. In the JavaScript of 2018, so that old releases can say what is missing.
 */
'use strict';
const { spawn } = require('child_process');
const { existsSync } = require('fs');
const { dirname, join } = require('path');
const { whenStarterIsGone } = require('./starter.js');

/** The release line that the project is tested on; it runs TypeScript as it is. */
const needed = 24;

/** `args` are those of Node: options, file, and the arguments of the file. */
exports.launch = (args) => {
  // Node keeps what it compiles beside the package, if it may write there: the next start is quicker.
  process.env.NODE_COMPILE_CACHE =
    process.env.NODE_COMPILE_CACHE || join(__dirname, '..', '.cache', 'compiled');
  const recent = Number(process.version.slice(1).split('.')[0]) >= needed;
  const node = recent ? process.execPath : bundledNode();
  if (node) run(node, args);
  else
    fail(`Node ${needed} or later is required; this is ${process.version}, and npm has none for ${process.platform} on \
${process.arch}. Install it from https://nodejs.org or with your package manager.`);
};

/** The Node that npm installed as an optional dependency. Undefined where there is none, as on macOS. */
function bundledNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  try {
    const folder = dirname(require.resolve(`node-${platform}-${process.arch}/package.json`));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function run(node, args) {
  if (process.execve && process.platform !== 'win32') {
    // The launcher becomes the program, so that whoever started it signals the program itself.
    process.emitWarning = () => {};
    process.execve(node, [node, ...args], process.env);
  }
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // A terminal sends SIGINT to both, and the service takes a second one as an order to stop at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  // The child sees only that its own parent, this process, still runs.
  if (process.env.npm_lifecycle_event) whenStarterIsGone(() => child.kill('SIGTERM'));
  child.on('error', (error) => fail(`cannot run ${node}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  process.stderr.write(`tarishi: ${message}\n`);
  process.exitCode = 1;
}
