import { createKeys } from '@touchstone/embedded';
import { startMigrated } from '@touchstone/embedded/testing';
import { canonicalize } from '@touchstone/catalog';
import { connect, createDispute, createPublicStore, type Db, type PublicStore } from '@touchstone/store';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runDisputes } from './run-disputes.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
const URL = 'https://api.example.com/weather';
const ID = `d_${'a'.repeat(26)}`;
const canonical = canonicalize(URL);
const endpointId = canonical.ok ? canonical.id : '';

let db: Db;
let store: PublicStore;
let close: () => Promise<void>;

beforeAll(async () => {
  const keys = createKeys();
  const database = await startMigrated({ keys });
  close = () => database.close();
  db = connect({ url: database.url, key: keys.secret });
  store = createPublicStore({ url: database.url, key: keys.publishable });
  const endpoint = { id: endpointId, resource: URL, host: 'api.example.com', slug: 'a', templated: false };
  await db
    .from('endpoints')
    .insert({ ...endpoint, first_seen_at: '2026-10-01T00:00:00Z' })
    .throwOnError();
  await createDispute(
    db,
    {
      ...{ id: ID, endpointId, subject: 'slow', shown: 'Responses are slow.', text: 'They are fast.' },
      ...{ proof: 'wallet', prover: `0x${'ab'.repeat(20)}`, isFormerWallet: true, messageHash: null },
      evidence: { score: 61.5 },
    },
    { dailyLimit: 5, now: NOW },
  );
});
afterAll(() => close());

const run = (...args: readonly string[]) => runDisputes(db, args, NOW);

it('lists open disputes with their evidence, and answers each once', async () => {
  expect(await run()).toBe(
    [
      `${ID}, sent 2026-11-01T00:00:00.000Z by former payTo wallet 0x${'ab'.repeat(20)}`,
      `  endpoint: ${URL}`,
      '  disputed: slow: Responses are slow.',
      '  provider: They are fast.',
      '',
    ].join('\n'),
  );
  expect(JSON.parse((await run('evidence', ID)) ?? '')).toEqual({ score: 61.5 });
  await expect(run('answer', ID, 'open', 'Later.')).rejects.toThrow('must be upheld or rejected');
  await expect(run('answer', ID, 'upheld', ' ')).rejects.toThrow(
    'TEXT must be a text of 1 to 1000 characters',
  );
  expect(await run('answer', ID, 'rejected', 'The median is 4 seconds.')).toContain(
    `Answered ${ID}: rejected.`,
  );
  await expect(run('answer', ID, 'upheld', 'You are right.')).rejects.toThrow(
    'must be the id of an open dispute',
  );
  expect(JSON.parse((await run('evidence', ID)) ?? '')).toEqual({ score: 61.5 });
  await expect(run('evidence', 'd_unknown')).rejects.toThrow('must be the id of a dispute');
  expect(await run()).toBe('No dispute is open.\n');
  expect(await store.readCorrections(10)).toMatchObject([
    { state: 'rejected', answer: 'The median is 4 seconds.' },
  ]);
});

it('adds a correction of all endpoints, or of one endpoint of the catalog', async () => {
  await run('correct', 'Latency was too high.', 'It is measured again.');
  await run('correct', 'The price was wrong.', 'It is 0.01 US dollars.', URL);
  const [first, second] = (await store.readCorrections(10)).filter(({ proof }) => proof === 'operator');
  expect([first?.resource, second?.resource].toSorted()).toEqual([URL, null].toSorted());
  await expect(run('correct', 'a', 'b', 'https://unknown.example/')).rejects.toThrow(
    'an endpoint of the catalog',
  );
  await expect(run('correct', 'a', 'b', 'no url')).rejects.toThrow('URL must be the URL of an endpoint');
});

it('refuses other arguments', async () => {
  for (const args of [['list'], ['answer', ID], ['evidence'], ['correct', 'a']])
    expect(await run(...args)).toBeNull();
});
