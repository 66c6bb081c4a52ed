/** Lines for the terminal about messages, what they cost and what became of them, with the calls that they make. */

const uuid = '5f0c6e0e-6f0b-4d53-9f0c-0a6c1c8f3f55';
const account = { product: 'MobileData', channel: 'Safaricom', denomination: '50MB' };
const paidBy = '--product MobileData --channel Safaricom --denomination 50MB';
const period = '--from 2027-01-01T00:00:00Z --to 2027-02-01T00:00:00+03:00';
const periodQuery = 'from=2027-01-01T00%3A00%3A00Z&to=2027-02-01T00%3A00%3A00%2B03%3A00';

/** A command line, the call that it makes, and its body. */
export type Call = [line: string, call: string, body?: object];

/** `file`: one that has `components` as JSON. */
export const callsOfMessages = (file: string, components: object): Call[] => [
  ['cap near --team acme', 'GET /caps/near?teamId=acme'],
  ['guard list --place KE', 'GET /guarded-places?place=KE'],
  ['account near-empty --team acme', 'GET /accounts/near-empty?teamId=acme'],
  ['balance acme', 'GET /teams/acme/accounts'],
  [
    `topup acme ${paidBy} --units 5 --reference r --note n`,
    'POST /teams/acme/top-ups',
    { ...account, units: 5, reference: 'r', note: 'n' },
  ],
  [
    `ledger correct acme ${paidBy} --units=-5 --reference r --note n`,
    'POST /teams/acme/corrections',
    { ...account, units: -5, reference: 'r', note: 'n' },
  ],
  [`ledger list acme ${period}`, `GET /teams/acme/ledger?${periodQuery}`],
  ['statement show acme --product Sms', 'GET /teams/acme/statement?product=Sms'],
  [
    `statement export acme --product Sms ${period}`,
    `GET /teams/acme/statement.csv?product=Sms&${periodQuery}`,
  ],
  ['request list --correlator c', 'GET /requests?correlator=c'],
  [`request show ${uuid}`, `GET /requests/${uuid}`],
  [`request cancel ${uuid}`, `POST /requests/${uuid}/cancel`],
  [`request message ${uuid} ${uuid}`, `GET /requests/${uuid}/messages/${uuid}`],
  [`request conversation ${uuid} ${uuid}`, `GET /requests/${uuid}/messages/${uuid}/conversation`],
  [`request messages ${uuid}`, `GET /requests/${uuid}/messages`],
  ['message show +254711000000 --team acme', 'GET /messages?phone=%2B254711000000&teamId=acme'],
  [
    'inbound list --team acme --phone +254711000000',
    'GET /inbound-messages?phone=%2B254711000000&teamId=acme',
  ],
  ['inbound unreadable --team acme', 'GET /inbound-messages/unreadable?teamId=acme'],
  ['inbound stats --by hour', 'GET /statistics/inbound?by=hour'],
  ['receipt stats --team acme', 'GET /statistics/receipts?teamId=acme'],
  ['receipt list --phone +254711000000', 'GET /receipts?phone=%2B254711000000'],
  ['receipt list --origin https://a.example', 'GET /receipts?origin=https%3A%2F%2Fa.example'],
  [`receipt show ${uuid}`, `GET /receipts/${uuid}`],
  [`receipt resend ${uuid}`, `POST /receipts/${uuid}/resend`],
  [
    'receipt replay --team acme --from 2027-01-01T00:00:00Z',
    'POST /receipts/replay',
    { teamId: 'acme', from: '2027-01-01T00:00:00Z', which: 'Exhausted' },
  ],
  [
    'receipt count --team acme --from 2027-01-01T00:00:00Z --to 2027-01-02T00:00:00Z --origin https://a.example',
    'POST /receipts/replay',
    {
      teamId: 'acme',
      from: '2027-01-01T00:00:00Z',
      to: '2027-01-02T00:00:00Z',
      origin: 'https://a.example',
      which: 'Exhausted',
      dryRun: true,
    },
  ],
  ['endpoint list --team acme', 'GET /endpoints?teamId=acme'],
  ['endpoint show acme 5f0c6e0e6f0b4d53', 'GET /endpoints/acme/5f0c6e0e6f0b4d53'],
  [
    'endpoint release https://a.example --team acme',
    'POST /endpoints/release',
    { teamId: 'acme', origin: 'https://a.example' },
  ],
  ['stats', 'GET /statistics?by=product'],
  ['minutes --last 5', 'GET /statistics/minutes?minutes=5'],
  ['stats --by channel', 'GET /statistics?by=channel'],
  [
    'stats --by hour --channel Safaricom --service acme-sms',
    'GET /statistics?by=hour&channel=Safaricom&serviceId=acme-sms',
  ],
  ['opt-out list --phone +254711000000', 'GET /opt-outs?phone=%2B254711000000'],
  [
    'opt-out add --phone +254711000000 --product Sms --team acme --target ALL',
    'POST /opt-outs',
    { phones: ['+254711000000'], product: 'Sms', teamId: 'acme', target: 'ALL' },
  ],
  [
    'opt-out remove --phone +254711000000 --phone +254711000001 --product Sms --team acme --service orders --consent letter',
    'POST /opt-outs/remove',
    {
      phones: ['+254711000000', '+254711000001'],
      product: 'Sms',
      teamId: 'acme',
      serviceId: 'orders',
      consent: 'letter',
    },
  ],
  [
    `opt-out import registry --part 2 --file ${file} --product Sms --target MARKETING`,
    'POST /opt-outs/imports',
    {
      id: 'registry',
      part: 2,
      lines: JSON.stringify(components),
      product: 'Sms',
      target: 'MARKETING',
    },
  ],
  [
    `ported import registry --file ${file} --number number --channel recipientRC --code 63902=Safaricom`,
    'POST /ported-numbers/imports',
    {
      id: 'registry',
      lines: JSON.stringify(components),
      numberColumn: 'number',
      channelColumn: 'recipientRC',
      codes: { '63902': 'Safaricom' },
    },
  ],
  ['ported show', 'GET /ported-numbers'],
  ['ported export', 'GET /ported-numbers/export'],
  ['opt-out imports', 'GET /opt-outs/imports'],
  ['opt-out progress registry', 'GET /opt-outs/imports/registry'],
  ['opt-out progress registry --team acme', 'GET /opt-outs/imports/registry?teamId=acme'],
  ['quarantine list', 'GET /quarantine'],
  ['quarantine retry 17', 'POST /quarantine/17/retry'],
  ['subject erase +254711000000', 'POST /subjects/erase', { phone: '+254711000000' }],
  ['audit --noun client --id shop', 'GET /audit?noun=client&id=shop'],
];
