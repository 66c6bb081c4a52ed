/** Runs the benchmarks that the command line names, or all. */
import { benchSendSms } from './sendSms.ts';
import { benchSmpp } from './smpp.ts';

const benchmarks: Record<string, (print: (line: string) => void) => Promise<void>> = {
  sendSms: benchSendSms,
  smpp: benchSmpp,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(benchmarks);
for (const name of names) {
  const run = benchmarks[name];
  if (run === undefined)
    throw new Error(`no benchmark ${name}; there are ${Object.keys(benchmarks).join(', ')}`);
  process.stdout.write(`\n${name}\n`);
  await run((line) => process.stdout.write(`${line}\n`));
}
