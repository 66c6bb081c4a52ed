/** What ends a session of the console, and what a session shows of its user. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createUser, revokeFormerUserKey, rotateUserKey, users } from '../../../src/manage/access/users.ts';
import { type People, startPeople } from '../../support/console/people.ts';

let people: People;
let service: People['service'];
let root: People['root'];
let at: People['at'];
let newUser: People['newUser'];
let exists: People['exists'];

beforeAll(async () => {
  people = await startPeople();
  ({ service, root, at, newUser, exists } = people);
});
afterAll(() => people.service.close());

describe('the next click asks for a sign-in', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    [
      'the key was withdrawn',
      async (id) => {
        await rotateUserKey(service.management, id);
        await revokeFormerUserKey(service.management, id);
      },
    ],
    ['the user was disabled', (id) => users.change(service.management, id, { enabled: false })],
    ['the role was changed', (id) => users.change(service.management, id, { role: 'viewer' })],
  ])('where %s', async (_what, change) => {
    const { id, accessKey } = await newUser();
    const browser = await people.signedIn(accessKey);
    expect((await browser.go(at('/teams'))).status).toBe(200);
    await change(id);
    const { status, text } = await browser.go(at('/teams'));
    expect(status).toBe(401);
    expect(text).toContain('You were signed out. Sign in here.');
  });

  test('in every browser, after signing out everywhere', async () => {
    const { accessKey } = await newUser();
    const [one, other] = [await people.signedIn(accessKey), await people.signedIn(accessKey)];
    const { text } = await one.go(at('/me'));
    expect(text.match(/127\.0\.0\.1/g)).toHaveLength(2);
    const { next } = await one.go(at('/me/sign-out-everywhere'), {});
    expect(next).toBe(at('/sign-in?signed-out'));
    expect([(await one.go(at('/me'))).status, (await other.go(at('/me'))).status]).toEqual([401, 401]);
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
  test('with a banner, as a viewer, until they stop; the team finds it in its audit log', async () => {
    const { id, accessKey } = await newUser();
    const browser = await people.signedIn(accessKey);
    expect((await browser.go(at('/teams/acme'))).text).toContain('href="/console/teams/acme/view"');
    await browser.go(at('/teams/acme/view'), {});
    const seen = await browser.go(at('/teams/acme'));
    expect(seen.text).toContain('You see the console as team <b>acme</b> does');
    expect(seen.text).not.toContain('href="/console/teams/acme/view"');
    expect((await browser.go(at('/teams/acme/edit'))).status).toBe(403);
    expect((await browser.go(at('/connectors'))).status).toBe(403);
    await browser.go(at('/view/stop'), {});
    expect((await browser.go(at('/connectors'))).status).toBe(200);
    const { body } = await root('GET /audit?teamId=acme&noun=team&id=acme');
    const entries = body.items.map(({ action, actor }: { action: string; actor: object }) => ({
      action,
      actor,
    }));
    const actor = { kind: 'user', name: id };
    expect(entries.slice(0, 2)).toEqual([
      { action: 'stop viewing', actor },
      { action: 'view', actor },
    ]);
  });

  test('not a user of a team, and no team that does not exist', async () => {
    const { accessKey } = await createUser(service.management, {
      id: 'of-acme',
      teamId: 'acme',
      role: 'owner',
    });
    const browser = await people.signedIn(accessKey);
    expect((await browser.go(at('/teams/acme/view'), {})).status).toBe(403);
    const platform = await people.signedIn();
    expect((await platform.go(at('/teams/none/view'), {})).status).toBe(404);
  });
});

test('a page that asks for itself does not keep the session open', async () => {
  const { id, accessKey } = await newUser();
  const browser = await people.signedIn(accessKey);
  const { knex } = service.management;
  const idleMinutes = async () => {
    const { rows } = await knex.raw(
      'select round(extract(epoch from service_now() - used_at) / 60)::integer as minutes from console_sessions where user_id = ?',
      [id],
    );
    return rows[0].minutes;
  };
  await knex('console_sessions')
    .where({ user_id: id })
    .update({ used_at: knex.raw("service_now() - interval '20 minutes'") });
  expect((await browser.go(at('/me'), undefined, { 'sec-fetch-dest': 'empty' })).status).toBe(200);
  expect(await idleMinutes()).toBe(20);
  await browser.go(at('/me'));
  expect(await idleMinutes()).toBe(0);
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
