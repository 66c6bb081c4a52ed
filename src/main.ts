#!/usr/bin/env node
/** The command line `tarishi`. */
import { runCommand } from './commands/main.ts';

const exitCode = await runCommand(process.argv.slice(2), process.env);
// A service that runs ends by a signal; what failed may have left something open.
if (exitCode !== 0) process.exit(exitCode);
