/** Reads lists until they show what a test waits for. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './api.ts';

/** The response as soon as its items are as wanted. */
export async function until(
  ask: () => Promise<Answer>,
  wanted: (items: Answer['body'][]) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    if (wanted(answer.body.items)) return answer;
    await delay(50);
  }
}
