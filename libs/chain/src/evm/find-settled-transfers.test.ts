import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairLogs } from './find-settled-transfers.ts';

interface Log {
  readonly transaction: string;
  readonly logIndex: number;
  readonly payer: string;
}
const log = (transaction: string, logIndex: number, payer: string): Log => ({ transaction, logIndex, payer });

test('a transfer is settled when it follows an authorization of its payer in the same transaction', () => {
  const settled = log('a', 1, 'ann');
  const plain = log('b', 1, 'ann');
  const other = log('a', 3, 'bob');
  const pairing = pairLogs([settled, plain, other], [log('a', 0, 'ann')]);
  expect(pairing).toEqual({ settled: new Set([settled]), undecided: [] });
});

test('an authorization settles only the transfer right after it', () => {
  const logs = [log('a', 1, 'ann'), log('a', 2, 'ann'), log('a', 4, 'ann')];
  expect(pairLogs(logs, [log('a', 3, 'ann')])).toEqual({ settled: new Set([logs[2]]), undecided: [] });
});

test('a transfer is undecided when its payer has an unpaired authorization in the same transaction', () => {
  const plain = log('a', 9, 'ann');
  expect(pairLogs([plain], [log('a', 5, 'ann')])).toEqual({ settled: new Set(), undecided: [plain] });
  expect(pairLogs([plain], [log('a', 8, 'bob')])).toEqual({ settled: new Set(), undecided: [] });
});

/**
 * A transfer with or without an authorization (`signed`), to a wallet that is read (`watched`) or to another wallet.
 */
const action = fc.record({
  payer: fc.constantFrom('ann', 'bob', 'eve'),
  signed: fc.boolean(),
  watched: fc.boolean(),
});

test('exactly the signed transfers of any batch, in any order, are settled', () => {
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
