/** Operators read in the log when an endpoint begins to fail, is parked and works again: one line each. */
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createEvents } from '../../process/events.ts';
import { failuresUntilParked, tellOfOrigins } from './parking.ts';

test('one line when an endpoint begins to fail, when it is parked, and when it works again', () => {
  const lines: string[] = [];
  const logger = pino({
    hooks: {
      logMethod: (args) => {
        const [{ teamId, origin }, message] = args as unknown as [{ teamId: string; origin: string }, string];
        lines.push(`${teamId} ${origin} ${message.split(':')[0]}`);
      },
    },
  });
  const events = createEvents(new Registry(), logger);
  const outcome = { teamId: 'acme', origin: 'https://acme.example' };
  for (let failures = 1; failures <= failuresUntilParked + 5; failures += 1)
    tellOfOrigins([{ ...outcome, failuresBefore: failures - 1, failures }] as never, events);
  for (const failuresBefore of [failuresUntilParked + 5, 0])
    tellOfOrigins([{ ...outcome, failuresBefore, failures: 0 }] as never, events);
  expect(lines).toEqual([
    'acme https://acme.example callback endpoint fails',
    'acme https://acme.example callback endpoint parked',
    'acme https://acme.example callback endpoint works again',
  ]);
});
