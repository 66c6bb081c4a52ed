/** The burst of a demo, offered to those who may change everything. */
import { expect, test } from '@jest/globals';
import { startConsole } from '../../support/console/service.ts';

test('is sent by its button, and counted', async () => {
  let bursts = 0;
  const sendBurst = async () => {
    bursts += 1;
    return 40;
  };
  const service = await startConsole({ sendBurst });
  try {
    const owner = await service.visitor('amina', { role: 'owner' });
    const fields = owner.fieldsIn((await owner.open('/')).text, '/burst');
    const sent = await owner.post('/burst', fields);
    expect([sent.location, bursts]).toEqual(['/?burst=40', 1]);
    expect((await owner.open('/?burst=40')).text).toContain('40 messages are on their way.');
    const viewer = await service.visitor('juma', { role: 'viewer' });
    expect((await viewer.open('/')).text).not.toContain('Send a burst');
    expect((await viewer.post('/burst', {})).status).toBe(403);
  } finally {
    await service.close();
  }
});
