/** Kannel's smsbox: a GET for each message; reports are GETs of an address that says where Kannel is to write what. */
import type { Preset } from '../../contract/kind.ts';

export const kannel: Preset = {
  title: 'Kannel',
  open: ['baseUrl', 'username'],
  settings: {
    method: 'GET',
    path: '/cgi-bin/sendsms',
    testPath: '/cgi-bin/sendsms?username={username}',
    encoding: 'query',
    authentication: 'query',
    apiKeyName: 'password',
    constants: { username: '{username}', charset: 'UTF-8', coding: '0', 'dlr-mask': '31' },
    unicodeConstants: { coding: '2' },
    flashConstants: { mclass: '0' },
    names: {
      request: { number: 'to', sender: 'from', text: 'text', reference: '', callbackUrl: 'dlr-url' },
      response: { id: '', code: 'code', reason: 'reason' },
      report: { id: '', reference: '?reference', status: '?status', code: '', reason: '?reason' },
      message: { id: '?id', from: '?from', to: '?to', text: '?text' },
    },
    responseFormat: 'text',
    callbackQuery: 'reference={reference}&status=%d&reason=%A',
    codes: { '0': 'accepted', '3': 'accepted' },
    statuses: {
      '1': 'Delivered',
      '2': 'DeliveryImpossible',
      '4': 'open',
      '8': 'open',
      '16': 'Failed',
    },
  },
};
