import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import {
  answerDispute,
  createCorrection,
  createDispute,
  findDisputeSubject,
  readOpenDisputes,
  readOperationalMetrics,
  type NewDispute,
} from '../index.ts';
import { makeId, makePayOn, makeTerms, toIso, useTestDatabase, T0 } from '../testing/fixtures.ts';

const database = useTestDatabase();
const [FIRST, SECOND] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`];
const DAILY_LIMIT = 5;

let endpoints = 0;
const addEndpoint = async (): Promise<string> => {
  const id = makeId((endpoints += 1));
  await database.discover(
    'disputes',
    T0,
    [...Array(endpoints).keys()].map((n) => makeId(n + 1)),
  );
  await database.publish(id, T0);
  return id;
};

/** Records a challenge that names a wallet, in mixed case as providers write it. */
const pay = (id: string, at: number, [payTo, network = 'eip155:8453']: readonly [string, string?]) => {
  const written = payTo.replace('0xa', '0xA');
  const options = [makePayOn({ network, payTo: written })];
  return database.observe(id, at, { terms: { ...makeTerms('1000', payTo, network), options } });
};

let disputes = 0;
const makeDisputeId = (): string => {
  const letters = [...String((disputes += 1))].map((digit) => 'abcdefghij'[Number(digit)]);
  return `d_${letters.join('').padStart(26, 'a')}`;
};

const make = (endpointId: string, extra: Partial<NewDispute> = {}): NewDispute => ({
  id: makeDisputeId(),
  endpointId,
  subject: 'price-spike',
  proof: 'wallet',
  prover: FIRST,
  isFormerWallet: false,
  messageHash: `hash of ${String(disputes)}`,
  text: 'The price is in cents.',
  shown: 'The price is at least 10 times its 30-day median.',
  evidence: { score: 20 },
  ...extra,
});

const create = (dispute: NewDispute, now = T0) =>
  createDispute(database.db, dispute, { dailyLimit: DAILY_LIMIT, now });
const readPublic = (endpointId: string) => database.openStore().readEndpointDisputes(endpointId, 50);

it('finds the wallets of the challenges, and former wallets until a given time', async () => {
  const id = await addEndpoint();
  await pay(id, T0, [FIRST]);
  await pay(id, T0 + DAY_MS, [SECOND]);
  await pay(id, T0 + 2 * DAY_MS, [SECOND, 'solana:mainnet']);
  const find = (wallet: string | null, since = T0) =>
    findDisputeSubject(database.db, { endpointId: id, wallet, since });
  expect(await find(null)).toEqual({
    removed: false,
    host: `${id}.example.com`,
    slug: `${id}-example-com-${id}`,
    wallets: [],
  });
  expect((await find(FIRST))?.wallets).toEqual([{ network: 'eip155:8453', isCurrent: false }]);
  expect((await find(FIRST.toUpperCase().replace('0X', '0x'), T0 + DAY_MS - 1))?.wallets).toHaveLength(1);
  // The change to the second wallet happened exactly at this time.
  expect((await find(FIRST, T0 + DAY_MS))?.wallets).toEqual([]);
  expect((await find(SECOND))?.wallets).toEqual([{ network: 'eip155:8453', isCurrent: false }]);
  await pay(id, T0 + 3 * DAY_MS, [SECOND]);
  expect((await find(SECOND))?.wallets).toEqual([{ network: 'eip155:8453', isCurrent: true }]);
});

it('finds no wallet that only a directory names, and no unknown endpoint', async () => {
  const id = await addEndpoint();
  await database.db
    .from('endpoints')
    .update({ listed_options: [makePayOn({ payTo: FIRST })] })
    .eq('id', id);
  const subject = { wallet: FIRST, since: T0 };
  expect((await findDisputeSubject(database.db, { endpointId: id, ...subject }))?.wallets).toEqual([]);
  expect(await findDisputeSubject(database.db, { endpointId: 'zzzzzzzzzz', ...subject })).toBeNull();
});

it('keeps one open dispute for each endpoint and subject', async () => {
  const [id, other] = [await addEndpoint(), await addEndpoint()];
  const prover = `c_${'a'.repeat(26)}`;
  const first = make(id, { prover, proof: 'claim', messageHash: null });
  expect(await create(first)).toBe('created');
  expect(await create(make(id, { messageHash: null }))).toBe('open');
  expect(await create(make(id, { subject: 'slow' }))).toBe('created');
  expect(await create(make(other))).toBe('created');
  expect(await create(make('zzzzzzzzzz'))).toBe('unknown');
  await answerDispute(database.db, { id: first.id, state: 'rejected', answer: 'It was right.', now: T0 });
  expect(await create(make(id))).toBe('created');
});

it('uses a signed message once, also after the answer', async () => {
  const id = await addEndpoint();
  const dispute = make(id, { prover: `0x${'c3'.repeat(20)}` });
  expect(await create(dispute)).toBe('created');
  await answerDispute(database.db, { id: dispute.id, state: 'upheld', answer: 'You are right.', now: T0 });
  expect(await create({ ...dispute, id: makeDisputeId() })).toBe('open');
});

it('limits the disputes of a prover in 24 hours, and counts no refused dispute', async () => {
  const prover = `0x${'d4'.repeat(20)}`;
  const id = await addEndpoint();
  const send = (subject: string, now = T0) => create(make(id, { prover, subject }), now);
  const subjects = ['a', 'a', 'b', 'c', 'd', 'e', 'f'];
  const results: string[] = [];
  for (const subject of subjects) results.push(await send(subject));
  const created = Array.from({ length: 4 }, () => 'created');
  expect(results).toEqual(['created', 'open', ...created, 'limited']);
  expect(await create(make(id, { prover: SECOND, subject: 'f' }))).toBe('created');
  expect(await send('g', T0 + DAY_MS)).toBe('created');
});

it('shows a dispute and its answer, without the complete wallet and the evidence', async () => {
  const id = await addEndpoint();
  const prover = `0x${'e5'.repeat(20)}`;
  const dispute = make(id, { prover, isFormerWallet: true });
  await create(dispute, T0 + HOUR_MS);
  const shown = {
    ...{
      id: dispute.id,
      subject: 'price-spike',
      proof: 'wallet',
      wallet: '0xe5e5…e5e5',
      isFormerWallet: true,
    },
    ...{ shown: dispute.shown, text: dispute.text, state: 'open', createdAt: toIso(T0 + HOUR_MS) },
    ...{
      answer: null,
      answeredAt: null,
      resource: `https://${id}.example.com/`,
      slug: `${id}-example-com-${id}`,
    },
  };
  expect(await readPublic(id)).toEqual([shown]);
  const open = await readOpenDisputes(database.db, 100);
  expect(open.find((one) => one.id === dispute.id)).toEqual({ ...shown, prover });
  expect(await database.openStore().readCorrections(10)).not.toContainEqual(shown);
  const { queues } = await readOperationalMetrics(database.db, T0 + DAY_MS);
  const waiting = open.map((one) => Date.parse(one.createdAt));
  expect(queues.find(({ queue }) => queue === 'disputes')).toEqual({
    ...{ queue: 'disputes', items: open.length, oldestAt: Math.min(...waiting) },
  });

  const answer = { id: dispute.id, state: 'upheld', answer: 'The decimals were read wrongly.' } as const;
  expect(await answerDispute(database.db, { ...answer, now: T0 + DAY_MS })).toBe(id);
  expect(await answerDispute(database.db, { ...answer, state: 'rejected', now: T0 + DAY_MS })).toBeNull();
  const answered = { ...shown, ...answer, answeredAt: toIso(T0 + DAY_MS) };
  expect(await readPublic(id)).toEqual([answered]);
  expect(await database.openStore().readCorrections(1)).toEqual([answered]);

  await database.db
    .from('endpoints')
    .update({ removed_at: toIso(T0) })
    .eq('id', id);
  expect(await database.openStore().readCorrections(1)).toEqual([
    { ...answered, resource: null, slug: null },
  ]);
});

it('lists corrections of the operator, the newest first', async () => {
  const id = await addEndpoint();
  const correction = { shown: 'Latency was too high.', answer: 'Latency is measured again.' };
  const [general, single] = [makeDisputeId(), makeDisputeId()];
  await createCorrection(database.db, { id: general, endpointId: null, ...correction, now: T0 + 5 * DAY_MS });
  await createCorrection(database.db, { id: single, endpointId: id, ...correction, now: T0 + 6 * DAY_MS });
  const newest = await database.openStore().readCorrections(2);
  expect(newest.map((one) => [one.id, one.proof, one.state, one.text, one.resource])).toEqual([
    [single, 'operator', 'upheld', null, `https://${id}.example.com/`],
    [general, 'operator', 'upheld', null, null],
  ]);
  expect((await readPublic(id)).map((one) => one.id)).toEqual([single]);
});
