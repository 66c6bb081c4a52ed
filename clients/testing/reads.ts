/** What each method that reads, or has receipts posted again, sends: with every parameter of the document at least once. */
import type { RequestCase } from './sends.ts';

const phone = '+254711000000';
const page = { limit: 2, cursor: 'c+/=' };
const pageQuery = 'limit=2&cursor=c%2B%2F%3D';
const period = { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' };
const periodQuery = 'from=2026-11-21T00%3A00%3A00Z&to=2026-11-22T00%3A00%3A00Z';

export const reads: readonly RequestCase[] = [
  {
    operationId: 'listMessages',
    call: 'messages.list',
    args: {
      phone,
      requestId: 'a',
      product: 'Sms',
      correlator: 'order 1',
      state: 'Failed',
      ...period,
      ...page,
    },
    path: `/messages?phone=%2B254711000000&requestId=a&product=Sms&correlator=order%201&state=Failed&${periodQuery}&${pageQuery}`,
  },
  { operationId: 'listMessages', call: 'messages.list', args: {}, path: '/messages' },
  {
    operationId: 'listMessages',
    call: 'messages.list',
    args: { from: { instant: '2026-11-21T00:00:00.500Z' }, to: { instant: '2026-11-21T03:00:00+03:00' } },
    path: '/messages?from=2026-11-21T00%3A00%3A00.500Z&to=2026-11-21T00%3A00%3A00.000Z',
  },
  {
    operationId: 'listMessages',
    call: 'messages.each',
    args: { phone, requestId: 'a', product: 'Sms', correlator: 'x', state: 'Failed', ...period, limit: 2 },
    path: `/messages?phone=%2B254711000000&requestId=a&product=Sms&correlator=x&state=Failed&${periodQuery}&limit=2`,
    part: 'items',
  },
  {
    operationId: 'listRequests',
    call: 'requests.list',
    args: { correlator: 'order 1', scheduled: true, ...period, ...page },
    path: `/requests?correlator=order%201&scheduled=true&${periodQuery}&${pageQuery}`,
  },
  {
    operationId: 'listRequests',
    call: 'requests.each',
    args: { correlator: 'x', scheduled: true, ...period, limit: 2 },
    path: `/requests?correlator=x&scheduled=true&${periodQuery}&limit=2`,
    part: 'items',
  },
  { operationId: 'getRequest', call: 'requests.get', args: { requestId: 'a/b' }, path: '/requests/a%2Fb' },
  {
    operationId: 'cancelRequest',
    call: 'requests.cancel',
    args: { requestId: 'a/b' },
    path: '/requests/a%2Fb/cancel',
  },
  {
    operationId: 'listRequestMessages',
    call: 'requests.listMessages',
    args: { requestId: 'a', ...page },
    path: `/requests/a/messages?${pageQuery}`,
  },
  {
    operationId: 'listRequestMessages',
    call: 'requests.eachMessage',
    args: { requestId: 'a', limit: 2 },
    path: '/requests/a/messages?limit=2',
    part: 'items',
  },
  {
    operationId: 'listInboundMessages',
    call: 'inbound.list',
    args: { phone, ...period, ...page },
    path: `/inbound-messages?phone=%2B254711000000&${periodQuery}&${pageQuery}`,
  },
  {
    operationId: 'listInboundMessages',
    call: 'inbound.each',
    args: { phone, ...period, limit: 2 },
    path: `/inbound-messages?phone=%2B254711000000&${periodQuery}&limit=2`,
    part: 'items',
  },
  {
    operationId: 'listReceipts',
    call: 'receipts.list',
    args: { requestId: 'a', state: 'Exhausted', ...period, ...page },
    path: `/receipts?requestId=a&state=Exhausted&${periodQuery}&${pageQuery}`,
  },
  {
    operationId: 'listReceipts',
    call: 'receipts.each',
    args: { requestId: 'a', state: 'Exhausted', ...period, limit: 2 },
    path: `/receipts?requestId=a&state=Exhausted&${periodQuery}&limit=2`,
    part: 'items',
  },
  { operationId: 'getReceipt', call: 'receipts.get', args: { receiptId: 'a' }, path: '/receipts/a' },
  {
    operationId: 'resendReceipt',
    call: 'receipts.resend',
    args: { receiptId: 'a' },
    path: '/receipts/a/resend',
  },
  {
    operationId: 'replayReceipts',
    call: 'receipts.replay',
    args: { since: '2026-11-21T00:00:00Z', which: 'Exhausted' },
    path: '/receipts/replay',
    body: { since: '2026-11-21T00:00:00Z', which: 'Exhausted' },
  },
  {
    operationId: 'replayReceipts',
    call: 'receipts.replay',
    args: { since: { instant: '2026-11-21T00:00:00Z' }, which: 'All' },
    path: '/receipts/replay',
    body: { since: '2026-11-21T00:00:00.000Z', which: 'All' },
  },
  {
    operationId: 'replayReceipts',
    call: 'receipts.replay',
    args: {
      since: '2026-11-21T00:00:00Z',
      until: { instant: '2026-11-21T01:00:00Z' },
      callbackUrl: 'https://client.example/receipts',
      requestId: 'a',
      which: 'Exhausted',
    },
    path: '/receipts/replay',
    body: {
      since: '2026-11-21T00:00:00Z',
      until: '2026-11-21T01:00:00.000Z',
      callbackUrl: 'https://client.example/receipts',
      requestId: 'a',
      which: 'Exhausted',
    },
  },
  {
    operationId: 'testReceipt',
    call: 'receipts.test',
    args: { url: 'https://client.example/receipts' },
    path: '/receipts/test',
    body: { url: 'https://client.example/receipts' },
  },
  {
    operationId: 'listOptOuts',
    call: 'optOuts.list',
    args: { phone, ...page },
    path: `/opt-outs?phone=%2B254711000000&${pageQuery}`,
  },
  {
    operationId: 'listOptOuts',
    call: 'optOuts.each',
    args: { phone, limit: 2 },
    path: '/opt-outs?phone=%2B254711000000&limit=2',
    part: 'items',
  },
  ...([{}, { serviceId: 'orders' }] as const).flatMap((service): RequestCase[] => {
    const numbers = { phones: [phone], product: 'Sms', ...service };
    const added = { ...numbers, target: 'MARKETING' };
    const removed = { ...numbers, consent: 'Web form' };
    return [
      { operationId: 'addOptOuts', call: 'optOuts.add', args: added, path: '/opt-outs', body: added },
      {
        operationId: 'removeOptOuts',
        call: 'optOuts.remove',
        args: removed,
        path: '/opt-outs/remove',
        body: removed,
      },
    ];
  }),
  ...(['balances', 'services', 'templates', 'campaigns'] as const).flatMap((name): RequestCase[] => {
    const operationId = `list${name[0]?.toUpperCase()}${name.slice(1)}`;
    return [
      { operationId, call: `${name}.list`, args: page, path: `/${name}?${pageQuery}` },
      { operationId, call: `${name}.each`, args: { limit: 2 }, path: `/${name}?limit=2`, part: 'items' },
    ];
  }),
  ...(['service', 'template', 'campaign'] as const).flatMap((name): RequestCase[] => {
    const operationId = `get${name[0]?.toUpperCase()}${name.slice(1)}`;
    const call = `${name}s.get`;
    const byId = { operationId, call, args: { id: 'a/b' }, path: `/${name}s/a%2Fb` };
    if (name === 'campaign') return [byId];
    const path = `/${name}s/a?product=ChatApp`;
    return [byId, { operationId, call, args: { id: 'a', product: 'ChatApp' }, path }];
  }),
];
