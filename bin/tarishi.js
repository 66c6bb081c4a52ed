#!/usr/bin/env node
/**
 * Runs the command line on the Node that it needs: the one that runs this file if it is recent enough, otherwise the
 * one that npm installed with the packages. In the JavaScript of 2018, so that old releases can say what is missing.
 */
'use strict';
const { spawn } = require('child_process');
const { existsSync } = require('fs');
const { dirname, join, sep } = require('path');
const { pathToFileURL } = require('url');

/** The release line that the service is tested on; it runs TypeScript as it is. */
const needed = 24;

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

/**
 * Young objects may take 16 MB twice over, not the 64 that V8 allows by itself: the service makes many, and few of them
 * last. Node does not strip types below node_modules, where an installed package lives: there a hook does it.
 */
function nodeOptions() {
  const options = ['--max-semi-space-size=16'];
  if (!__dirname.split(sep).includes('node_modules')) return options;
  const hook = pathToFileURL(join(__dirname, 'strip-types.mjs')).href;
  return [...options, '--disable-warning=ExperimentalWarning', '--import', hook];
}

function run(node) {
  const args = [...nodeOptions(), join(__dirname, '..', 'src', 'main.ts'), ...process.argv.slice(2)];
  if (process.execve && process.platform !== 'win32') {
    // The launcher becomes the service, so that a supervisor signals the process that it started.
    process.emitWarning = () => {};
    process.execve(node, [node, ...args], process.env);
  }
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // A terminal sends SIGINT to both, and the service takes a second one as an order to stop at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
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

const recent = Number(process.version.slice(1).split('.')[0]) >= needed;
const node = recent ? process.execPath : bundledNode();
if (node) run(node);
else
  fail(`Node ${needed} or later is required; this is ${process.version}, and npm has none for ${process.platform} on \
${process.arch}. Install it from https://nodejs.org or with your package manager.`);
