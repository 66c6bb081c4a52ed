/** Which commands become samples; a contract test runs the samples themselves. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { readCall } from './call.ts';
import { languages } from './languages.ts';

const head = `curl -s "http://x/message/demo-sms" -H "Authorization: Bearer $TOKEN"`;

test('a JSON body', () => {
  expect(readCall(`${head} \\\n  -H 'Content-Type: application/json' \\\n  -d '{"a": [1, "it"]}'`)).toEqual({
    method: 'POST',
    url: 'http://x/message/demo-sms',
    headers: [],
    withToken: true,
    json: { a: [1, 'it'] },
  });
});

test('a query', () => {
  expect(readCall(`curl -s -G "http://x/messages" --data-urlencode 'phone=+254711000000'`)).toMatchObject({
    method: 'GET',
    url: 'http://x/messages?phone=%2B254711000000',
    withToken: false,
  });
});

test('a form whose response is kept in a variable', () => {
  const command = `TOKEN=$(curl -s "http://x/token" -d a=b --data-urlencode "s=$SECRET" |\n  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`;
  expect(readCall(command)).toMatchObject({
    form: [
      ['a', 'b'],
      ['s', { variable: 'SECRET' }],
    ],
    prints: 'access_token',
  });
});

testEvery([
  ['another program', 'npm start'],
  ['two commands', `${head}; echo`],
  ['a pipe', `${head} | jq .`],
  ['an option that samples do not have', `${head} --retry 3`],
  ['a substitution', `curl -s "http://x/$(id)"`],
  ['a shell function', `send() {\n  ${head}\n}`],
  ['nothing', ''],
])('no sample is made of %s', (_case, command) => {
  expect(readCall(command)).toBeUndefined();
});

testEvery([
  ['TypeScript', `'a "b" $c \\\\ d'`],
  ['Python', `"a \\"b\\" $c \\\\ d"`],
  ['PHP', `'a "b" $c \\\\ d'`],
  ['Go', `"a \\"b\\" $c \\\\ d"`],
  ['Java', `"a \\\\"b\\\\" $c \\\\\\\\ d"`],
])('%s escapes texts', (language, written) => {
  const json = JSON.stringify({ text: 'a "b" $c \\ d' });
  const call = readCall(`${head} -H 'Content-Type: application/json' -d '${json}'`);
  const write = languages.find(({ name }) => name === language)?.write;
  expect(call && write?.(call)).toContain(written);
});
