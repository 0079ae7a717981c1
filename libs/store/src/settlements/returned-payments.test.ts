import { DAY_MS, HOUR_MS } from '@touchstone/common';
import { expect, it } from 'vitest';
import { readSettlementFigures } from '../index.ts';
import { useTestDatabase, T0 } from '../testing/fixtures.ts';
import { makeSettlement, makeStep, openNetwork, type Row, walletAddress } from '../testing/settlements.ts';

const database = useTestDatabase();
const MINUTES_PER_DAY = DAY_MS / 60_000;
const now = T0 + 3 * DAY_MS + HOUR_MS;
const head = 3 * MINUTES_PER_DAY + 30;

type Transfer = readonly [day: number, from: string, to: string, amount: bigint, kind?: 'transfer'];

let lastWallet = 1_000;
let lastNetwork = 70_000;

/**
 * Records transfers between wallets with short names, and returns a function that reads the figures of a set of these
 * wallets. Names that begin with a capital letter are wallets that are read.
 */
async function recordTransfers(transfers: readonly Transfer[], set: readonly string[] = ['P']) {
  const addresses = new Map<string, string>();
  const toAddress = (name: string): string => {
    const address = addresses.get(name) ?? walletAddress((lastWallet += 1));
    addresses.set(name, address);
    return address;
  };
  const { add, network, record } = openNetwork(database, `eip155:${(lastNetwork += 1)}`);
  const isRead = (name: string) => /^[A-Z]/.test(name);
  const names = [...new Set([...set, ...transfers.flatMap(([, from, to]) => [from, to])])];
  const letters = Array.from(String(lastNetwork), (digit) => 'abcdefghij'[Number(digit)]).join('');
  await add(`reads${letters}`, names.filter(isRead).map(toAddress));
  const rows = transfers.flatMap(([day, from, to, amount, kind], index): Row[] => {
    const facts = {
      payer: toAddress(from),
      amount,
      transaction: `0x${index.toString(16).padStart(64, '0')}`,
    };
    const row = makeSettlement(day * MINUTES_PER_DAY + 1, toAddress(to), { ...facts, kind: kind ?? 'x402' });
    const sent: Row = { ...row, kind: 'sent' };
    return [...(isRead(to) ? [row] : []), ...(isRead(from) ? [sent] : [])];
  });
  await record(0, makeStep(head, rows));
  const wallets = set.map((name) => ({ network, payTo: toAddress(name), isCounted: true }));
  const read = async () => (await readSettlementFigures(database.db, [wallets], now))[0];
  const toName = (address: string) => [...addresses].find(([, known]) => known === address)?.[0] ?? address;
  return { read, record, toName };
}

it.each<[string, readonly Transfer[], object, (readonly string[])?]>([
  [
    'without a transfer back, everything stays',
    [
      [0, 'ann', 'P', 6n],
      [1, 'ann', 'P', 2n],
      [1, 'bob', 'P', 2n],
    ],
    { volume: 10n, returned: 0n, settlements: 3, payers: 2, repeatPayers: 1, topPayerShare: 0.8 },
  ],
  [
    'a payer with nothing left is none, and a payer cannot get back more than it paid',
    [
      [0, 'ann', 'P', 6n],
      [1, 'ann', 'P', 2n],
      [1, 'bob', 'P', 2n],
      [2, 'P', 'ann', 50n, 'transfer'],
      [2, 'P', 'bob', 1n, 'transfer'],
      [2, 'P', 'other', 99n, 'transfer'],
    ],
    { volume: 1n, returned: 9n, settlements: 3, payers: 1, repeatPayers: 0, topPayerShare: 1, by: { P: 9n } },
  ],
  [
    'a wallet that the payTo funded returns payments, at most what it got',
    [
      [0, 'ann', 'P', 6n],
      [0, 'bob', 'P', 4n],
      [1, 'P', 'F', 7n, 'transfer'],
      [1, 'F', 'ann', 6n, 'transfer'],
      [1, 'F', 'bob', 6n, 'transfer'],
    ],
    { volume: 3n, returned: 7n, payers: 1, by: { 'funded F': 7n } },
  ],
  [
    'what the payTo and a funded wallet return to a payer counts up to its payments, first that of the payTo',
    [
      [0, 'ann', 'P', 6n],
      [0, 'bob', 'P', 9n],
      [1, 'P', 'F', 8n, 'transfer'],
      [1, 'P', 'ann', 4n, 'transfer'],
      [1, 'F', 'ann', 6n, 'transfer'],
    ],
    { volume: 9n, returned: 6n, payers: 1, by: { P: 4n, 'funded F': 2n } },
  ],
  [
    'a funded wallet that is a payer itself returns only what is left after its own payments',
    [
      [0, 'ann', 'P', 6n],
      [0, 'F', 'P', 4n],
      [1, 'P', 'F', 7n, 'transfer'],
      [1, 'F', 'ann', 6n, 'transfer'],
    ],
    { volume: 3n, returned: 7n, payers: 1 },
  ],
  [
    'what a funded wallet sends back to the payTo in plain transfers is not returned again',
    [
      [0, 'ann', 'P', 10n],
      [1, 'P', 'F', 10n, 'transfer'],
      [1, 'F', 'P', 8n, 'transfer'],
      [1, 'other', 'F', 5n, 'transfer'],
      [2, 'F', 'ann', 7n, 'transfer'],
    ],
    { volume: 8n, returned: 2n, payers: 1 },
  ],
  [
    'a funded wallet that got less than a tenth of the payments returns nothing',
    [
      [0, 'ann', 'P', 100n],
      [1, 'P', 'F', 9n, 'transfer'],
      [1, 'F', 'ann', 9n, 'transfer'],
    ],
    { volume: 100n, returned: 0n },
  ],
  [
    'the three wallets that were funded most return payments, and no other wallet',
    [
      [0, 'ann', 'P', 100n],
      ...(['F', 'G', 'H', 'I'] as const).flatMap((wallet, index): Transfer[] => [
        [1, 'P', wallet, 11n + BigInt(index), 'transfer'],
        [1, wallet, 'ann', 20n, 'transfer'],
      ]),
    ],
    { volume: 61n, returned: 39n, by: { 'funded I': 14n, 'funded H': 13n, 'funded G': 12n } },
  ],
  [
    'an exchange, which gets more from others than from the payTo, returns nothing',
    [
      [0, 'ann', 'P', 6n],
      [1, 'P', 'F', 6n, 'transfer'],
      [1, 'other', 'F', 6n, 'transfer'],
      [1, 'F', 'ann', 6n, 'transfer'],
    ],
    { volume: 6n, returned: 0n, payers: 1 },
  ],
  [
    'the second hop is not followed',
    [
      [0, 'ann', 'P', 6n],
      [1, 'P', 'F', 6n, 'transfer'],
      [1, 'F', 'G', 6n, 'transfer'],
      [1, 'G', 'ann', 6n, 'transfer'],
    ],
    { volume: 6n, returned: 0n, payers: 1 },
  ],
  [
    'transfers between the wallets of the set do not count, in either direction',
    [
      [0, 'ann', 'P', 6n],
      [0, 'P', 'P', 5n],
      [0, 'Q', 'P', 5n],
      [1, 'P', 'Q', 5n, 'transfer'],
    ],
    { volume: 6n, returned: 0n, payers: 1 },
    ['P', 'Q'],
  ],
  [
    'one wallet of the set returns what another received',
    [
      [0, 'ann', 'P', 6n],
      [1, 'ann', 'Q', 5n],
      [1, 'bob', 'Q', 1n],
      [2, 'Q', 'ann', 8n, 'transfer'],
    ],
    {
      volume: 4n,
      returned: 8n,
      settlements: 3,
      payers: 2,
      repeatPayers: 1,
      topPayerShare: 0.75,
      by: { Q: 8n },
    },
    ['P', 'Q'],
  ],
])('%s', async (...[, transfers, expected, set]) => {
  const { read, toName } = await recordTransfers(transfers, set);
  const figures = await read();
  const { volume = 0n, returned = 0n, returnedBy = [] } = figures?.total ?? {};
  const by = returnedBy.map((one): [string, bigint] => [
    `${one.isFunded ? 'funded ' : ''}${toName(one.wallet)}`,
    one.volume,
  ]);
  expect({ ...figures?.total, by: Object.fromEntries(by) }).toMatchObject(expected);
  expect(returnedBy.reduce((sum, one) => sum + one.volume, 0n)).toBe(returned);
  const wallets = figures?.wallets.flatMap((wallet) => wallet.figures ?? []) ?? [];
  expect(wallets.reduce((sum, wallet) => sum + wallet.volume, 0n)).toBe(volume + returned);
});

it('a reorg removes what was sent, and the same transfers can be read again', async () => {
  const transfers: Transfer[] = [
    [0, 'ann', 'P', 6n],
    [1, 'P', 'ann', 4n, 'transfer'],
  ];
  const { read, record } = await recordTransfers(transfers);
  expect(await read()).toMatchObject({ total: { volume: 2n, returned: 4n } });
  await record(0, makeStep(10, [], { removedFrom: 10n }));
  await record(0, makeStep(head));
  expect(await read()).toMatchObject({ total: { volume: 6n, returned: 0n } });
});

it.each([
  ['eip155:79999', walletAddress],
  ['solana:79999', (n: number) => 'S'.repeat(37) + String(n).replaceAll('0', 'o')],
])('once a day, adds the three wallets that a wallet of %s funded most; none on Solana', async (...args) => {
  const [network, toAddress] = args;
  const expected = network.startsWith('eip155:') ? [912, 913, 914] : [];
  const { add, open, record, groups } = openNetwork(database, network);
  const [payTo, other] = [toAddress(900), toAddress(901)];
  await add(`funded${expected.length > 0 ? 'evma' : 'sola'}`, [payTo, other]);
  const send = (recipient: number, amount: bigint) =>
    makeSettlement(1, toAddress(recipient), { payer: payTo, amount, kind: 'sent' });
  await record(
    0,
    makeStep(head, [
      makeSettlement(1, payTo, { amount: 100n, payer: toAddress(909) }),
      makeSettlement(1, other, { amount: 100n, payer: toAddress(909) }),
      ...[send(909, 100n), send(910, 9n), send(911, 10n), send(912, 30n), send(913, 20n), send(914, 40n)],
      makeSettlement(1, `0x${'0'.repeat(40)}`, { payer: payTo, amount: 100n, kind: 'sent' }),
    ]),
  );
  expect(await open(now)).toEqual({ added: expected.length, removed: 0 });
  expect((await groups()).slice(1).flatMap(({ wallets }) => wallets)).toEqual(expected.map(toAddress));
  await record(0, makeStep(head, [send(915, 200n)]));
  expect(await open(now + HOUR_MS)).toEqual({ added: 0, removed: 0 });
  expect(await open(now + DAY_MS)).toEqual({ added: expected.length / 3, removed: 0 });
});
