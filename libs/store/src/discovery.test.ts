import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { T0, HOUR, listed, openTestDatabase, type TestDatabase } from './testing/fixtures.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('discovery', () => {
  const one = listed('aaaaaaaaaa');
  const two = listed('bbbbbbbbbb');

  it('catalogues what is listed once', async () => {
    expect(await database.discover('d1', T0, [one, two])).toMatchObject({ listed: 2, relisted: 0 });
    expect(await database.discover('d1', T0 + HOUR, [one, two])).toMatchObject({
      listed: 0,
      relisted: 0,
      delisted: 0,
    });
    expect(await database.kindsOf(one.id)).toEqual(['listed']);
  });

  it('delists after two complete runs without it, and notes its return', async () => {
    expect((await database.discover('d1', T0 + 2 * HOUR, [one])).delisted).toBe(0);
    expect((await database.discoverPartly('d1', T0 + 3 * HOUR, [one])).delisted).toBe(0);
    expect((await database.discover('d1', T0 + 4 * HOUR, [one])).delisted).toBe(1);
    expect(await database.discover('d1', T0 + 5 * HOUR, [one, two])).toMatchObject({
      listed: 0,
      relisted: 1,
    });
    expect(await database.kindsOf(two.id)).toEqual(['listed', 'delisted', 'relisted']);
  });

  it('never delists the world when the directory shrinks at once', async () => {
    const many = Array.from({ length: 10 }, (_, i) => listed(`ccccccccc${'abcdefghij'.charAt(i)}`));
    await database.discover('d2', T0, many);
    for (const hours of [1, 2, 3]) {
      const answer = await database.discover('d2', T0 + hours * HOUR, many.slice(0, 3));
      expect(answer.delisted).toBe(0);
      expect(answer.note).toContain('shrank');
    }
  });

  it('believes a directory that stays small for a day', async () => {
    const many = Array.from({ length: 6 }, (_, i) => listed(`mmmmmmmmm${'abcdef'.charAt(i)}`));
    await database.discover('small', T0, many);
    for (let hour = 1; hour <= 24; hour += 1) {
      const answer = await database.discover('small', T0 + hour * HOUR, many.slice(0, 2));
      expect(answer).toMatchObject({ complete: false, delisted: 0 });
    }
    expect(await database.discover('small', T0 + 25 * HOUR, many.slice(0, 2))).toMatchObject({
      complete: true,
    });
    expect(await database.discover('small', T0 + 26 * HOUR, many.slice(0, 2))).toMatchObject({ delisted: 4 });
  });

  it('does not listen to a directory that was not read for a week', async () => {
    const both = listed('nnnnnnnnnn');
    await database.discover('old', T0, [both]);
    await database.discover('new', T0, [both, listed('nnnnnnnnna')]);
    for (const hour of [200, 201]) await database.discover('new', T0 + hour * HOUR, [listed('nnnnnnnnna')]);
    expect(await database.kindsOf(both.id)).toEqual(['listed', 'delisted']);
  });

  it('keeps an endpoint listed while another directory lists it', async () => {
    const shared = listed('dddddddddd');
    await database.discover('d3', T0, [shared, listed('dddddddddc')]);
    await database.discover('d4', T0, [shared]);
    for (const hours of [1, 2, 3]) await database.discover('d3', T0 + hours * HOUR, [listed('dddddddddc')]);
    expect((await database.inputOf(shared.id, T0 + 3 * HOUR))?.endpoint.listingStatus).toBe('listed');
  });

  it('does not mix two URLs that share an id', async () => {
    await database.discover('d5', T0, [listed('eeeeeeeeee')]);
    await database.discover('d5', T0 + HOUR, [listed('eeeeeeeeee', { resource: 'https://other.example/' })]);
    expect((await database.inputOf('eeeeeeeeee', T0 + HOUR))?.endpoint.resource).toBe(
      'https://eeeeeeeeee.example.com/',
    );
  });
});
