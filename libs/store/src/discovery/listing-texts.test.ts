import { HOUR_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import {
  adoptEndpoint,
  finishDiscovery,
  recordListings,
  startDiscovery,
  type ListedEndpoint,
} from '../index.ts';
import { makeEndpoint, makeObservation, makePage, useTestDatabase, T0 } from '../testing/fixtures.ts';

const database = useTestDatabase();

const hour = (number: number): number => T0 + number * HOUR_MS;

/** Reads a directory that lists only the given endpoint, or no endpoint. */
function list(directory: string, at: number, listed?: ListedEndpoint) {
  return database.discover(directory, at, listed === undefined ? [] : [listed]);
}

function makeNamed(id: string, [serviceName, description]: readonly [string | null, string | null]) {
  return makeEndpoint(id, { serviceName, description });
}

async function readTexts(id: string) {
  const endpoint = (await database.readInput(id, hour(100)))?.endpoint;
  return [endpoint?.serviceName, endpoint?.description];
}

async function readTextChanges(id: string) {
  const { data } = await database.db
    .from('changes')
    .select('before, after')
    .eq('endpoint_id', id)
    .eq('kind', 'metadata_change')
    .order('at');
  return data;
}

describe('the texts of an endpoint', () => {
  it('are those of the directory that listed it first, and other directories do not replace them', async () => {
    const id = 'textsaaaaa';
    await list('north a', hour(0), makeNamed(id, ['North', null]));
    await list('south a', hour(1), makeNamed(id, ['South', 'Text of south']));
    expect(await readTexts(id)).toEqual(['North', 'Text of south']);
    await list('south a', hour(2), makeNamed(id, ['South', 'New text of south']));
    expect(await readTexts(id)).toEqual(['North', 'New text of south']);
    await list('north a', hour(3), makeNamed(id, ['New north', 'Text of north']));
    expect(await readTexts(id)).toEqual(['New north', 'Text of north']);
    await list('south a', hour(4), makeNamed(id, ['South', 'New text of south']));
    expect(await readTexts(id)).toEqual(['New north', 'Text of north']);
  });

  it('change when the first directory drops the endpoint, and stay when the last one does', async () => {
    const id = 'textsbbbbb';
    await list('north b', hour(0), makeNamed(id, ['North', 'Text of north']));
    await list('south b', hour(1), makeNamed(id, ['South', null]));
    for (const at of [hour(2), hour(3)]) await list('north b', at);
    expect(await readTexts(id)).toEqual(['South', null]);
    for (const at of [hour(4), hour(5)]) await list('south b', at);
    expect(await readTexts(id)).toEqual(['South', null]);
    await list('north b', hour(6), makeNamed(id, ['North again', null]));
    expect(await readTexts(id)).toEqual(['North again', null]);
  });

  it('are removed when the only directory removes them', async () => {
    const id = 'textsccccc';
    await list('alone c', hour(0), makeNamed(id, ['Name', 'Text']));
    await list('alone c', hour(1), makeNamed(id, [null, null]));
    expect(await readTexts(id)).toEqual([null, null]);
  });

  it('come from the challenge of an adopted endpoint until a directory lists it', async () => {
    const id = 'textsddddd';
    const { resource, host, slug } = makeEndpoint(id);
    const texts = { serviceName: 'From the challenge', description: 'Text of the challenge' };
    await adoptEndpoint(database.db, T0, {
      endpoint: { id, resource, host, slug, ...texts, intervalSeconds: 1800, offsetSeconds: 0 },
      observation: makeObservation(id, T0),
      challenge: null,
      hostLimit: 5,
      provisionalUntil: hour(1),
    });
    const readSource = async () => (await database.readInput(id, hour(100)))?.endpoint.source;
    expect(await readTexts(id)).toEqual(['From the challenge', 'Text of the challenge']);
    expect(await database.readChangeKinds(id)).toEqual([]);
    expect(await readSource()).toBe('adopted');
    await list('later d', hour(1), makeNamed(id, [null, 'Text of the directory']));
    expect(await readTexts(id)).toEqual([null, 'Text of the directory']);
    expect(await database.readChangeKinds(id)).toEqual(['listed']);
    await list('later d', hour(2), makeNamed(id, [null, null]));
    expect(await readTexts(id)).toEqual([null, null]);
    expect(await readTextChanges(id)).toEqual([
      {
        before: { directory: 'later d', serviceName: null, description: 'Text of the directory' },
        after: { directory: 'later d', serviceName: null, description: null },
      },
    ]);
    // The source stays `directory` after the directory removes the endpoint.
    for (const at of [hour(3), hour(4)]) await list('later d', at);
    expect(await readSource()).toBe('directory');
  });

  it('queue the endpoint for scoring only when they change', async () => {
    const id = 'textseeeee';
    const readRevision = async () => (await database.readInput(id, hour(100)))?.revision;
    await list('north e', hour(0), makeNamed(id, ['North', 'Text']));
    await list('south e', hour(1), makeNamed(id, ['South', 'Text']));
    const revision = await readRevision();
    await list('south e', hour(2), makeNamed(id, ['New south', 'Text']));
    expect(await readRevision()).toBe(revision);
    await list('north e', hour(3), makeNamed(id, ['New north', 'Text']));
    expect(await readRevision()).toBe((revision ?? 0) + 1);
  });
});

describe('a change of texts', () => {
  it('is recorded with its directory, and not for the first listing or without a difference', async () => {
    const id = 'textsfffff';
    await list('north f', hour(0), makeNamed(id, ['North', null]));
    await list('north f', hour(1), makeNamed(id, ['North', null]));
    await list('south f', hour(2), makeNamed(id, ['South', 'Text']));
    expect(await readTextChanges(id)).toEqual([]);
    await list('north f', hour(3), makeNamed(id, ['North', 'Text']));
    await list('south f', hour(4), makeNamed(id, [null, 'Text']));
    expect(await readTextChanges(id)).toEqual([
      {
        before: { directory: 'north f', serviceName: 'North', description: null },
        after: { directory: 'north f', serviceName: 'North', description: 'Text' },
      },
      {
        before: { directory: 'south f', serviceName: 'South', description: 'Text' },
        after: { directory: 'south f', serviceName: null, description: 'Text' },
      },
    ]);
  });

  it('is not recorded for a URL that a run contains several times with different texts', async () => {
    const id = 'textshhhhh';
    const [first, second] = [makeNamed(id, ['First', null]), makeNamed(id, ['Second', null])];
    for (const at of [hour(0), hour(1)]) {
      const { id: run } = await startDiscovery(database.db, 'twice h', at);
      await recordListings(database.db, { id: run, at }, makePage([first]));
      await recordListings(database.db, { id: run, at: at + 1 }, makePage([second], 1));
      await finishDiscovery(database.db, { id: run, at: at + 2 }, { end: 'complete', note: null });
      expect(await readTexts(id)).toEqual(['First', null]);
    }
    expect(await readTextChanges(id)).toEqual([]);
    await list('twice h', hour(2), second);
    expect(await readTextChanges(id)).toHaveLength(1);
  });

  it('is recorded when a directory lists the endpoint again with other texts', async () => {
    const id = 'textsggggg';
    await list('alone g', hour(0), makeNamed(id, ['Name', null]));
    for (const at of [hour(1), hour(2)]) await list('alone g', at);
    await list('alone g', hour(3), makeNamed(id, ['Other name', null]));
    expect(await readTextChanges(id)).toHaveLength(1);
  });
});

it('the example request of an endpoint is the newest one, and stays when a directory has none', async () => {
  const id = 'textsexmpl';
  const make = (city: string | null) =>
    makeEndpoint(id, { exampleRequest: city === null ? null : { query: [['city', city]], body: null } });
  const readCity = async () =>
    (await database.readInput(id, hour(100)))?.endpoint.exampleRequest?.query[0]?.[1] ?? null;
  await list('north example', hour(0), make(null));
  expect(await readCity()).toBeNull();
  await list('south example', hour(1), make('Paris'));
  await list('north example', hour(2), make(null));
  expect(await readCity()).toBe('Paris');
  await list('south example', hour(3), make('Oslo'));
  expect(await readCity()).toBe('Oslo');
});
