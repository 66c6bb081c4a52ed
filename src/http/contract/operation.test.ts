/** What does not fit the contract does not compile: `npm run check` fails when one of the marked lines does. */
import { expect, test } from '@jest/globals';
import type { components } from '../../../generated/openapi.d.ts';
import type { NotesDocument } from './notes-testing.ts';
import { type AnswerOf, type Call, type Handler, type Handlers, type Reply, reply } from './operation.ts';

const result: AnswerOf<'sendSms', 200>['result'] = {
  type: 'SmsResponse',
  requestId: '5f0c6e0e-6f0b-4d53-9f0c-0a6c1c8f3f55',
  units: { Safaricom: 1 },
  addresses: { Safaricom: 1 },
};

type Named<Value> = Value extends string ? (string extends Value ? never : Value) : never;
type SmsStatus = components['schemas']['SmsDeliveryStatus'];

/** For the compiler, mostly. */
const compiled = {
  aHandler: (async (call) => call.reply(200, { result })) satisfies Handler<'sendSms'>,

  // @ts-expect-error all other operations are missing
  operations: { sendSms: async (call: Call<'sendSms'>) => call.reply(200, { result }) } satisfies Handlers,

  statuses: (call: Call<'sendSms'>) => {
    call.reply(400, { desc: 'No valid recipients found.' });
    // @ts-expect-error 201 is not documented
    call.reply(201, { result });
    // @ts-expect-error a refusal's body is not that of a 200
    call.reply(200, { desc: 'No valid recipients found.' });
  },

  fields: (call: Call<'sendSms'>) => {
    const { units: _units, ...withoutUnits } = result;
    // @ts-expect-error units is missing
    call.reply(200, { result: withoutUnits });
    // @ts-expect-error result is missing
    call.reply(200, {});
    // @ts-expect-error a unit is a number
    call.reply(200, { result: { ...result, units: { Safaricom: 'one' } } });
    // @ts-expect-error type is a constant
    call.reply(200, { result: { ...result, type: 'Other' } });
    // @ts-expect-error balance is not published
    call.reply(200, { result, balance: 7 });
    // @ts-expect-error teamId is not published, further in neither
    call.reply(200, { result: { ...result, teamId: 'demo' } });
  },

  answers: {
    // @ts-expect-error only reply makes an answer
    byHand: (async () => ({ status: 200, body: { result }, headers: {} })) satisfies Handler<'sendSms'>,
    // @ts-expect-error an answer of another operation
    ofAnother: (async () => ({}) as Reply<'issueToken'>) satisfies Handler<'sendSms'>,
  },

  contents: (call: Call<'putNote', NotesDocument>) => {
    // @ts-expect-error a 204 has no body
    call.reply(204, { text: 'x' });
    // @ts-expect-error a 400 has one
    call.reply(400);
  },

  queries: (call: Call<'listNotes', NotesDocument>) => {
    const limit: number | undefined = call.query.limit;
    // @ts-expect-error no such query parameter
    call.query.offset;
    return limit;
  },

  extensible: (known: Named<SmsStatus>, later: string): SmsStatus[] => {
    // @ts-expect-error the document names no such state
    const unnamed: Named<SmsStatus> = 'AddedLater';
    return [known, later, unnamed];
  },

  requests: (call: Call<'sendSms'>) => {
    const serviceId: string = call.path.serviceId;
    // @ts-expect-error the path has no campaignId
    const campaignId = call.path.campaignId;
    // @ts-expect-error only some variants of the body have addresses
    const addresses = call.body.addresses;
    return { serviceId, campaignId, addresses };
  },
};

test('a handler responds through reply, with status, body and headers', async () => {
  const call = { reply } as unknown as Call<'sendSms'>;
  expect(await compiled.aHandler(call)).toEqual({ status: 200, body: { result }, headers: {} });
  expect(reply<'sendSms'>(200, { result }, { 'X-One': '1' }).headers).toEqual({ 'X-One': '1' });
});
