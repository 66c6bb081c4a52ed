/** What ends a session of the console, and what a session shows of its user. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { users } from '../../../src/manage/access/users.ts';
import { type People, startPeople } from '../../support/console/people.ts';

let people: People;
let service: People['service'];
let at: People['at'];
let newUser: People['newUser'];
let exists: People['exists'];

beforeAll(async () => {
  people = await startPeople();
  ({ service, at, newUser, exists } = people);
});
afterAll(() => people.service.close());

describe('the next click asks for a sign-in', () => {
  test('once the session has ended', async () => {
    const { id, accessKey } = await newUser();
    const browser = await people.signedIn(accessKey);
    expect((await browser.go(at('/teams'))).status).toBe(200);
    await users.change(service.management, id, { enabled: false });
    const { status, text } = await browser.go(at('/teams'));
    expect(status).toBe(401);
    expect(text).toContain('You were signed out. Sign in here.');
  });

  test('and a form is not sent: the sign-in leads back to its page', async () => {
    const { accessKey } = await newUser();
    const browser = await people.signedIn(accessKey);
    await service.management.knex('console_sessions').delete();
    const page = at('/new/teams');
    const { status, text } = await browser.go(page, { id: 'unsent-team' }, { referer: page });
    expect(status).toBe(401);
    expect(text).toContain('nothing was sent');
    expect(text).toContain('name="target" value="/new/teams"');
    expect(await exists('unsent-team')).toBe(false);
  });
});

describe('a user of the platform sees the console as a team', () => {
  test('with a banner, as a viewer, until they stop', async () => {
    const browser = await people.signedIn();
    expect((await browser.go(at('/teams/acme'))).text).toContain('href="/console/teams/acme/view"');
    await browser.go(at('/teams/acme/view'), {});
    const seen = await browser.go(at('/teams/acme'));
    expect(seen.text).toContain('You see the console as team <b>acme</b> does');
    expect(seen.text).not.toContain('href="/console/teams/acme/view"');
    expect((await browser.go(at('/teams/acme/edit'))).status).toBe(403);
    expect((await browser.go(at('/connectors'))).status).toBe(403);
    await browser.go(at('/view/stop'), {});
    expect((await browser.go(at('/connectors'))).status).toBe(200);
  });
});

test('times are shown in the zone that the user has chosen, in every browser', async () => {
  const { accessKey } = await newUser();
  const browser = await people.signedIn(accessKey);
  const { text } = await browser.go(at('/me'));
  expect(text).toContain('<option value="Africa/Nairobi" selected>');
  expect((await browser.go(at('/me/time-zone'), { timeZone: 'Asia/Tokyo' })).status).toBe(303);
  expect((await (await people.signedIn(accessKey)).go(at('/me'))).text).toContain(
    '<option value="Asia/Tokyo" selected>',
  );
});
