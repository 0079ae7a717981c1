import type { JournalEntry } from '@touchstone/guard';
import { describe, expect, it } from 'vitest';
import {
  createPaymentEntry,
  createRefusalEntry,
  createResponseEntry,
  createStatusEntry,
} from './testing/journal-entries.ts';
import { formatCsvExport } from './format-receipts.ts';
import { listReceipts } from './list-receipts.ts';

const FAILED = { httpStatus: 502, delivered: false };

describe('listReceipts', () => {
  it.each<[string, readonly JournalEntry[], string]>([
    ['a payment without a response', [], 'open'],
    ['an error', [createResponseEntry('a', FAILED)], 'open'],
    ['a delivery', [createResponseEntry('a')], 'delivered'],
    ['a delivery before an error', [createResponseEntry('a'), createResponseEntry('a', FAILED)], 'delivered'],
    ['a settled error', [createResponseEntry('a', FAILED), createStatusEntry('a', 'settled')], 'undelivered'],
    ['a payment of unknown state', [createStatusEntry('a', 'unknown')], 'open'],
    [
      'an expired payment',
      [createStatusEntry('a', 'open'), createStatusEntry('a', 'expired')],
      'not-charged',
    ],
    ['a cancelled payment', [createStatusEntry('a', 'cancelled')], 'not-charged'],
    ['entries on another payment', [createResponseEntry('b')], 'open'],
  ])('knows the state of %s', (_, entries, state) => {
    expect(listReceipts([createPaymentEntry('a'), ...entries])).toMatchObject([{ state }]);
  });

  it('lists refusals and payments in the order of the journal', () => {
    const entries = [createRefusalEntry(), createPaymentEntry('a'), createRefusalEntry({ resource: 'x' })];
    expect(listReceipts(entries)).toMatchObject([
      { state: 'refused', host: 'api.example.com', payment: null },
      { state: 'open', host: 'api.example.com' },
      { state: 'refused', host: '' },
    ]);
  });
});

describe('formatCsvExport', () => {
  it.each([
    ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
    ['\t=1+1', `"'=1+1"`],
    ['\u200b+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['a,"b"\r\n=c', `"a,""b"" =c"`],
  ])('exports %j as a text', (network, cell) => {
    const receipts = listReceipts([createPaymentEntry('a', { network })]);
    const [columns, row] = formatCsvExport(receipts).split('\r\n');
    expect(columns).toContain('"at","state","method","resource"');
    expect(row).toContain(`"exact",${cell},`);
  });
});
