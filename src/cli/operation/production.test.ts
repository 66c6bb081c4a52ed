/** A sandbox does not run in production. */
import { expect, test } from '@jest/globals';
import { sandboxCommands } from './sandbox.ts';

test.each(sandboxCommands)('$words', async ({ run }) => {
  await expect(run({}, { config: { production: true } } as never)).rejects.toThrow('NODE_ENV=production');
});
