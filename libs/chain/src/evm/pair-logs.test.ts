import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairLogs } from './pair-logs.ts';

interface Log {
  readonly transaction: string;
  readonly logIndex: number;
  readonly payer: string;
}
const log = (transaction: string, logIndex: number, payer: string): Log => ({ transaction, logIndex, payer });

test('a transfer is a settlement when its payer signed it in the same transaction', () => {
  const settled = log('a', 1, 'ann');
  const plain = log('b', 1, 'ann');
  const other = log('a', 3, 'bob');
  const pairing = pairLogs([settled, plain, other], [log('a', 0, 'ann')]);
  expect(pairing).toEqual({ settled: new Set([settled]), undecided: [] });
});

test('one authorization pays for the transfer behind it, and for no other', () => {
  const logs = [log('a', 1, 'ann'), log('a', 2, 'ann'), log('a', 4, 'ann')];
  expect(pairLogs(logs, [log('a', 3, 'ann')])).toEqual({ settled: new Set([logs[2]]), undecided: [] });
});

test('what its payer sends by hand beside an authorization for somebody else is in doubt, not settled', () => {
  const plain = log('a', 9, 'ann');
  expect(pairLogs([plain], [log('a', 5, 'ann')])).toEqual({ settled: new Set(), undecided: [plain] });
  expect(pairLogs([plain], [log('a', 8, 'bob')])).toEqual({ settled: new Set(), undecided: [] });
});

/** Transactions as facilitators make them: signed transfers and plain ones, of several payers, some to wallets of no interest. */
const action = fc.record({
  payer: fc.constantFrom('ann', 'bob', 'eve'),
  signed: fc.boolean(),
  watched: fc.boolean(),
});

test('whatever is batched in whatever order, exactly the signed transfers are settlements', () => {
  const batches = fc.array(fc.array(action, { maxLength: 8 }), { maxLength: 5 });
  fc.assert(
    fc.property(batches, fc.integer(), (transactions, shuffle) => {
      const transfers: (Log & { signed: boolean })[] = [];
      const authorizations: Log[] = [];
      for (const [number, actions] of transactions.entries()) {
        let index = 0;
        for (const { payer, signed, watched } of actions) {
          if (signed) authorizations.push(log(`${number}`, index++, payer));
          const transfer = { ...log(`${number}`, index++, payer), signed };
          if (watched || signed) transfers.push(transfer);
        }
      }
      const rotated = [...transfers.slice(shuffle % 7), ...transfers.slice(0, shuffle % 7)];
      const { settled } = pairLogs(rotated, authorizations);
      for (const transfer of transfers) expect(settled.has(transfer)).toBe(transfer.signed);
    }),
  );
});
