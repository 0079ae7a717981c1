import { DAY_MS, formatTimestamp, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { call } from '../client/client.ts';
import { claimDueEndpoints } from '../index.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import {
  makeSettlement,
  payerAddress,
  makeStep,
  walletAddress,
  openNetwork,
} from '../testing/settlements.ts';

const database = useTestDatabase();

describe('wallets', () => {
  it('of a network are read together from 30 days back, without burn addresses', async () => {
    const { advertise, open, groups } = openNetwork(database, 'eip155:1');
    expect(await groups()).toEqual([]);
    await advertise('walletsaaa', [
      walletAddress(1),
      walletAddress(2).toUpperCase().replace('0X', '0x'),
      `0x${'0'.repeat(37)}2ff`,
    ]);
    await advertise('walletsbbb', [
      walletAddress(2),
      'merchant',
      '0x000000000000000000000000000000000000dEaD',
    ]);
    expect(await open(T0 + HOUR_MS)).toEqual({ added: 2, removed: 0 });
    expect(await open(T0 + HOUR_MS)).toEqual({ added: 0, removed: 0 });
    expect(await groups()).toEqual([
      {
        group: 0,
        revision: 1,
        since: T0 - 30 * DAY_MS,
        cursor: null,
        until: null,
        wallets: [walletAddress(1), walletAddress(2)],
      },
    ]);
  });

  it('that are added later catch up in another group, and are measured after that', async () => {
    const { add, advertise, open, groups, readGroup, record, readFigures } = openNetwork(
      database,
      'eip155:10',
    );
    await add('lateraaaaa', [walletAddress(10)]);
    await record(0, makeStep(500, [], { caughtUp: false }));
    await advertise('laterbbbbb', [walletAddress(11)]);
    await open(T0 + HOUR_MS);
    // Other wallet groups are not read until group 0 has reached the head of the chain.
    expect((await groups()).map(({ group }) => group)).toEqual([0]);
    await record(0, makeStep(1_000));
    expect(await readGroup(1)).toMatchObject({ cursor: null, until: 1_000n, wallets: [walletAddress(11)] });

    const now = T0 + 1_010 * 60_000;
    expect((await readFigures(walletAddress(10), now)).figures).toMatchObject({ volume: 0n, payers: 0 });
    await record(1, makeStep(400, [makeSettlement(100, walletAddress(11))], { caughtUp: false }));
    expect((await readFigures(walletAddress(11), now)).figures).toBeNull();
    // A step of group 1 is rejected if it ends after the last block of group 0, because group 0 will read the later
    // blocks for both groups.
    expect((await record(1, makeStep(1_001))).stale).toBe(true);
    const before = await readGroup(0);
    await record(1, makeStep(1_000, [makeSettlement(900, walletAddress(11))]));
    expect(await groups()).toMatchObject([{ group: 0, wallets: [walletAddress(10), walletAddress(11)] }]);
    // A step of group 0 that began without the new wallet is discarded.
    expect((await readGroup(0)).revision).toBeGreaterThan(before.revision);
    expect((await readFigures(walletAddress(11), now)).figures).toMatchObject({
      volume: 20n,
      settlements: 2,
    });
  });

  it('do not join group 0 on a different branch of the chain', async () => {
    const { add, groups, record } = openNetwork(database, 'eip155:100');
    await add('branchaaaa', [walletAddress(20)]);
    await record(0, makeStep(1_000));
    await add('branchbbbb', [walletAddress(21)]);
    const other = makeStep(1_000);
    await record(1, {
      ...other,
      cursor: { ...other.cursor, anchors: [{ number: 1_000n, hash: 'replaced' }] },
    });
    expect(await groups()).toHaveLength(2);
    await record(1, makeStep(1_000));
    expect(await groups()).toHaveLength(1);
  });

  it('with too many transfers are skipped for a week, not measured, and do not block others', async () => {
    const { add, advertise, open, groups, record, readFigures } = openNetwork(database, 'eip155:143');
    await add('busyaaaaaa', [walletAddress(70), walletAddress(71)]);
    await record(
      0,
      makeStep(100, [makeSettlement(5, walletAddress(70)), makeSettlement(6, walletAddress(71))]),
    );
    await record(0, makeStep(200, [], { tooBusy: [walletAddress(71)] }));
    expect(await groups()).toMatchObject([{ group: 0, wallets: [walletAddress(70)] }]);
    expect((await readFigures(walletAddress(70), T0 + HOUR_MS)).figures?.volume).toBe(10n);
    expect((await readFigures(walletAddress(71), T0 + HOUR_MS)).figures).toBeNull();
    // The group of the skipped wallets is not read, so a new wallet is added to another group.
    await advertise('busybbbbbb', [walletAddress(72)]);
    expect(await open(T0 + HOUR_MS)).toEqual({ added: 1, removed: 0 });
    expect(await groups()).toMatchObject([{ group: 0 }, { group: 1, wallets: [walletAddress(72)] }]);
    await record(1, makeStep(200));
    await open(T0 + 6 * DAY_MS);
    expect((await groups()).map(({ wallets }) => wallets)).toEqual([[walletAddress(70), walletAddress(72)]]);
    expect(await open(T0 + 8 * DAY_MS)).toEqual({ added: 1, removed: 1 });
    expect((await groups())[1]).toMatchObject({ cursor: null, wallets: [walletAddress(71)] });
  });

  it('without an advertising endpoint are removed after a week', async () => {
    const { add, advertise, open, groups } = openNetwork(database, 'eip155:137');
    await add('letgoaaaaa', [walletAddress(30), walletAddress(31)]);
    await advertise('letgoaaaaa', [walletAddress(31)], T0 + DAY_MS);
    expect(await open(T0 + 6 * DAY_MS)).toEqual({ added: 0, removed: 0 });
    expect(await open(T0 + 8 * DAY_MS)).toEqual({ added: 0, removed: 1 });
    expect(await groups()).toMatchObject([{ wallets: [walletAddress(31)] }]);
  });
});

describe('a step', () => {
  it('is stored once, even if it is sent several times', async () => {
    const { add, readGroup, record, readFigures } = openNetwork(database, 'eip155:42161');
    await add('onceaaaaaa', [walletAddress(40)]);
    const step = makeStep(100, [
      makeSettlement(5, walletAddress(40)),
      makeSettlement(6, walletAddress(40), { kind: 'transfer' }),
    ]);
    const { revision } = await readGroup(0);
    expect(await record(0, step)).toEqual({ recorded: 2, removed: 0, stale: false });
    expect(await record(0, step, revision)).toEqual({
      recorded: 0,
      removed: 0,
      stale: true,
    });
    // A settlement is also stored only once if its block range is read again later.
    expect(await record(0, step)).toMatchObject({ recorded: 0, stale: false });
    expect((await readFigures(walletAddress(40), T0 + 2 * HOUR_MS)).figures?.volume).toBe(10n);
  });

  it('names the facilitators of the last 30 days to the probes of the endpoint', async () => {
    const { add, record } = openNetwork(database, 'eip155:480');
    const [ours, other] = [walletAddress(70), walletAddress(71)];
    await add('settledaaa', [ours, other]);
    await record(
      0,
      makeStep(100, [
        makeSettlement(5, ours, { facilitator: 'coinbase' }),
        makeSettlement(10, ours, { facilitator: 'coinbase' }),
        makeSettlement(50, other, { facilitator: 'payAI' }),
        makeSettlement(60, other),
      ]),
    );
    const month = T0 + 30 * DAY_MS;
    const claim = async (now: number) => {
      const options = { owner: 'w', now, limit: 500, leaseSeconds: 60, hostSuffix: 'settledaaa.example.com' };
      return (await claimDueEndpoints(database.db, options)).map(({ settledThrough }) => settledThrough);
    };
    expect(await claim(month)).toEqual([['coinbase', 'payAI']]);
    expect(await claim(month + 40 * MINUTE_MS)).toEqual([['payAI']]);
    expect(await claim(month + 80 * MINUTE_MS)).toEqual([[]]);
    const request = { endpointId: 'settledaaa', host: '', pathUrl: '', now: formatTimestamp(month) };
    expect(
      await call(database.db, 'report_subject', { ...request, provisionalUntil: formatTimestamp(month) }),
    ).toMatchObject({ endpoint: { settledThrough: ['coinbase', 'payAI'] } });
  });

  it('that was read without a new wallet is stale', async () => {
    const { add, readGroup, record } = openNetwork(database, 'eip155:43114');
    await add('missingaaa', [walletAddress(50)]);
    const { revision } = await readGroup(0);
    await add('missingbbb', [walletAddress(51)]);
    expect((await record(0, makeStep(100), revision)).stale).toBe(true);
  });

  it('removes replaced blocks after a re-org in all groups, exact to the atomic unit', async () => {
    const { add, groups, readGroup, record, readFigures } = openNetwork(database, 'eip155:84532');
    await add('reorgaaaaa', [walletAddress(60)]);
    await record(
      0,
      makeStep(1_000, [
        makeSettlement(10, walletAddress(60)),
        makeSettlement(900, walletAddress(60)),
        makeSettlement(950, walletAddress(60), { payer: payerAddress(2) }),
      ]),
    );
    await add('reorgbbbbb', [walletAddress(61)]);
    const second = await readGroup(1);
    await record(
      1,
      makeStep(950, [makeSettlement(20, walletAddress(61)), makeSettlement(940, walletAddress(61))], {
        caughtUp: false,
      }),
    );
    const taken = makeStep(899, [], { removedFrom: 900n, caughtUp: false, through: null });
    expect(await record(0, taken)).toEqual({ recorded: 0, removed: 3, stale: false });
    // A step that was read on the replaced branch of the chain is stale.
    expect(await record(1, makeStep(899), second.revision + 1)).toMatchObject({ stale: true });
    expect((await groups()).map(({ cursor }) => cursor?.nextBlock)).toEqual([900n, 900n]);
    expect((await readGroup(1)).cursor?.anchors).toEqual([]);
    await record(0, makeStep(1_000, [makeSettlement(905, walletAddress(60), { amount: 7n })]));
    expect((await readFigures(walletAddress(60), T0 + DAY_MS)).figures).toMatchObject({
      volume: 17n,
      settlements: 2,
      payers: 1,
    });
  });
});
