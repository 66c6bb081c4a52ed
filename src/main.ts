#!/usr/bin/env node
/** The command line `tarishi`. */
import { runCommand } from './cli/main.ts';

const exitCode = await runCommand(process.argv.slice(2), process.env);
// A running service ends by a signal; a failed command may have left something open.
if (exitCode !== 0) process.exit(exitCode);
