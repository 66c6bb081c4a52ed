#!/usr/bin/env node
/** The command line `tarishi`, on any Node: see launch.js. */
'use strict';
const { join, sep } = require('path');
const { pathToFileURL } = require('url');
const { launch } = require('./launch.js');

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

launch([...nodeOptions(), join(__dirname, '..', 'src', 'main.ts'), ...process.argv.slice(2)]);
