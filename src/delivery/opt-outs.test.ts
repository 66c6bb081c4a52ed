/** Opt-outs at the moment of hand-over: what is not submitted, what passes, and what a look-up reads. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Category } from '../model/plan.ts';
import { type Explained, rowsRead } from '../platform/db/plan-testing.ts';
import { runStatement } from '../platform/db/statement.ts';
import type { OptOutScope, OptOutTarget } from '../products/consent/opt-out.ts';
import { addOptOuts, eraseOptOutPhones, optedOutText } from '../products/consent/opt-out-repository.ts';
import { delivered, hashPhone, network, openedDelivery } from './testing.ts';

const phone = '+254711000000';
const chatApp = { product: 'chatapp', content: '{}', channel: '1055' } as const;

const delivery = openedDelivery();
beforeAll(async () => {
  await delivery.knex('teams').insert(['t', 'other'].map((id) => ({ id, name: id })));
});
beforeEach(async () => {
  await delivery.reset(1_000);
  await delivery.knex('opt_outs').delete();
});

function optOut(target: OptOutTarget, scope: Partial<OptOutScope> = {}, phones = [phone]) {
  const given = { product: 'sms', teamId: 't', serviceId: null, ...scope, target, source: 'Client' } as const;
  return addOptOuts(delivery.knex, phones, given, hashPhone);
}

async function deliver() {
  const { connector, sent } = network(() => delivered);
  await delivery.deliver({ sms: connector, data: connector, chatapp: connector });
  return sent;
}

test('a message to somebody who opted out is not submitted; it is refunded, and its client hears why', async () => {
  await delivery.accept({ phone, units: 3 }, { phone: '+254711000001', units: 2 });
  await optOut('MARKETING');
  expect(await deliver()).toEqual(['+254711000001']);
  expect([await delivery.states(), await delivery.balance()]).toEqual([
    ['SubscriberOptedOut', 'Delivered'],
    998,
  ]);
  expect(await delivery.receipts()).toEqual(expect.arrayContaining(['SubscriberOptedOut', 'Delivered']));
  expect(await delivery.knex('messages').where({ phone }).first()).toMatchObject({
    reason: 'The recipient opted out',
    reason_code: 'opt-out-list',
  });
  expect(await deliver()).toEqual([]);
  expect(await delivery.balance()).toBe(998);
});

describe('what an opt-out stops', () => {
  test.each<[string, OptOutTarget, Category, Partial<OptOutScope>, 'stopped' | 'sent']>([
    ['of marketing: a promotion', 'MARKETING', 'MARKETING', {}, 'stopped'],
    ['of marketing: a notice', 'MARKETING', 'UTILITY', {}, 'sent'],
    ['of everything: a code', 'ALL', 'AUTHENTICATION', {}, 'stopped'],
    ['of the platform', 'ALL', 'MARKETING', { teamId: null }, 'stopped'],
    ['of another team', 'ALL', 'MARKETING', { teamId: 'other' }, 'sent'],
    ['of its service', 'ALL', 'MARKETING', { serviceId: 'r' }, 'stopped'],
    ['of another service', 'ALL', 'MARKETING', { serviceId: 'other' }, 'sent'],
    ['of another product', 'ALL', 'MARKETING', { product: 'chatapp' }, 'sent'],
  ])('one %s', async (_of, target, category, scope, what) => {
    await delivery.acceptRequest({ category }, [{ phone }]);
    await optOut(target, scope);
    expect(await deliver()).toEqual(what === 'sent' ? [phone] : []);
  });

  test('chat-app messages, but no bundles', async () => {
    await optOut('ALL');
    await optOut('ALL', { product: 'chatapp' });
    await delivery.accept({ ...chatApp, phone }, { product: 'data', content: '1GB', phone });
    expect(await deliver()).toEqual([phone]);
    expect(await delivery.states()).toEqual(['SubscriberOptedOut', 'Delivered']);
  });

  test.each<[Category, 'stopped' | 'sent']>([
    ['MARKETING', 'stopped'],
    ['UTILITY', 'sent'],
  ])('a template that its network has made %s since it was accepted is %s', async (category, what) => {
    const template = { id: 'offer', team_id: 't', name: 'offer', language: 'en', parameter_format: 'NAMED' };
    const components = JSON.stringify({ body: { text: 'Habari' }, buttons: [] });
    await delivery
      .knex('chatapp_templates')
      .insert({ ...template, category, components, approval_status: 'APPROVED' })
      .onConflict('id')
      .merge();
    const accepted = category === 'MARKETING' ? 'UTILITY' : 'MARKETING';
    await delivery.acceptRequest({ category: accepted, templateId: 'offer' }, [{ ...chatApp, phone }]);
    await optOut('MARKETING', { product: 'chatapp' });
    expect(await deliver()).toEqual(what === 'stopped' ? [] : [phone]);
  });

  test('the SMS with a bundle, by the service that sends it', async () => {
    await optOut('ALL', { serviceId: 'of-sms' });
    await delivery.acceptRequest({ operation: 'disburseMobileData', smsServiceId: 'of-sms' }, [
      { product: 'data', content: '1GB', position: 0, units: 0, accountId: null, phone },
      { position: 0, held: true, phone },
    ]);
    expect(await deliver()).toEqual([phone]);
    expect(await deliver()).toEqual([]);
    expect(await delivery.states()).toEqual(['Delivered', 'SubscriberOptedOut']);
    expect(await delivery.balance()).toBe(1_000);
  });

  test('a message whose interrupted submission did not reach its network, and none that did', async () => {
    await delivery.accept({ ...chatApp, phone }, { ...chatApp, phone: '+254711000001' });
    await delivery.knex('messages').update({ state: 'Sending' });
    await optOut('ALL', { product: 'chatapp' }, [phone, '+254711000001']);
    const { connector, sent } = network(
      () => delivered,
      (message) => (message.phone === phone ? { kind: 'unknown', waited: true } : delivered),
    );
    await delivery.deliver({ chatapp: connector });
    expect([sent, await delivery.states()]).toEqual([[], ['SubscriberOptedOut', 'Delivered']]);
  });

  test('also after the number was erased from it', async () => {
    await optOut('MARKETING');
    expect(await eraseOptOutPhones(delivery.knex, [hashPhone(phone)], undefined)).toBe(1);
    expect(JSON.stringify(await delivery.knex('opt_outs').pluck('phone'))).toBe('[null]');
    await delivery.accept({ phone });
    expect(await deliver()).toEqual([]);
  });
});

describe('a scheduled message to somebody who had opted out when it was accepted', () => {
  const sendAt = new Date(Date.now() + 3 * 24 * 3_600_000).toISOString();
  /** As acceptance stores it: it does not wait for its time. */
  const accept = () =>
    delivery.acceptRequest({ schedule: { sendAt } }, [{ phone }, { phone: '+254711000001', sendAt }]);

  test('ends at once, is refunded and has its receipt; the others wait', async () => {
    await optOut('MARKETING');
    await accept();
    expect(await deliver()).toEqual([]);
    expect(await delivery.states()).toEqual(['SubscriberOptedOut', 'Scheduled']);
    expect([await delivery.receipts(), await delivery.balance()]).toEqual([['SubscriberOptedOut'], 999]);
  });

  test('ends at once while its connector takes nothing', async () => {
    await optOut('MARKETING');
    await accept();
    await delivery.deliver({});
    expect(await delivery.states()).toEqual(['SubscriberOptedOut', 'Scheduled']);
  });

  test('waits for its time if the opt-out is taken back before it ends', async () => {
    await accept();
    expect(await deliver()).toEqual([]);
    expect(await delivery.states()).toEqual(['Scheduled', 'Scheduled']);
    expect(await delivery.knex('jobs')).toEqual([]);
    const times = (await delivery.knex('messages').pluck('send_at')) as Date[];
    expect(times.map((time) => time.toISOString())).toEqual([sendAt, sendAt]);
  });
});

test('nothing is submitted while the list cannot be read', async () => {
  await delivery.accept({ phone });
  const { connector, sent } = network(() => delivered);
  const all = delivery.dependencies({ sms: connector });
  const blind = { ...all, findOptedOut: () => Promise.reject(new Error('away')) };
  await delivery.deliverRound(blind);
  expect([sent, await delivery.states()]).toEqual([[], ['Queued']]);
  await delivery.hurry();
  await delivery.deliverRound(all);
  expect(sent).toEqual([phone]);
});

test('a look-up reads the entries of its numbers, however many there are', async () => {
  await delivery.knex.raw(
    `insert into opt_outs (phone_hash, phone, product, team_id, target, source)
     select '#+2547' || n, '+2547' || n, 'sms', 't', 'ALL', 'Operator' from generate_series(1, 20000) n`,
  );
  const asked = Array.from({ length: 50 }, (_, n) => ({
    ...{ id: String(n), phone_hash: `#+2547${n}`, product: 'sms', team_id: 't', service_id: 'r' },
    category: 'MARKETING',
  }));
  const explained = await runStatement<Explained>(delivery.knex, {
    text: `explain (analyze, format json) ${optedOutText}`,
    values: [JSON.stringify(asked)],
  });
  // Averages over the loops are rounded.
  expect(rowsRead(explained, 'opt_outs')).toBeLessThanOrEqual(50);
});
