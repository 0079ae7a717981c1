import { trustReportSchema } from '@touchstone/contract';
import { describe, expect, it } from 'vitest';
import { createHealthyInputs, NOW } from '../testing/fixtures.ts';
import { createReport, createSource, FULL_INPUTS } from '../testing/reports.ts';
import { readInputs } from './report-inputs.ts';

describe('the settlement of a report', () => {
  it('names the wallet and the endpoints that share it, also without chain data', () => {
    const { settlement } = createReport(
      createHealthyInputs({ settlement: null, networksRead: 0, payToSharedWith: 2 }),
    );
    expect(settlement).toEqual({
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      network: 'eip155:8453',
      sharedWith: ['https://other.example/a', 'https://third.example/b'],
      ...{ volumeUsd30d: null, settlements30d: null, payers30d: null, topPayerShare: null },
      ...{
        returnedUsd30d: null,
        returnedBy: [],
        repeatPayers30d: null,
        lastSettledAt: null,
        throughBlock: null,
      },
      ...{ partial: null, wallets: [] },
    });
    const bare = createReport(createHealthyInputs({ settlement: null }), { facts: { settlement: null } });
    expect(bare.settlement).toMatchObject({ payTo: settlement?.payTo, sharedWith: [], volumeUsd30d: null });
    expect(trustReportSchema.parse(bare)).toEqual(bare);
  });

  it('lists the wallets behind its totals, with null for one that was not read', () => {
    const { facts } = createSource(FULL_INPUTS);
    const wallets = [
      {
        ...{ payTo: '0xaa', network: 'eip155:8453', volumeUsd30d: 1_334.56, settlements30d: 4_200 },
        ...{ payers30d: 37, topPayerShare: 0.25, lastSettledAt: NOW, throughBlock: 77 },
      },
      {
        ...{ payTo: '0xbb', network: 'eip155:137', volumeUsd30d: null },
        ...{ settlements30d: null, payers30d: null, topPayerShare: null },
        ...{ lastSettledAt: null, throughBlock: null },
      },
    ];
    const sender = { address: '0xaa', network: 'eip155:8453' };
    const read = {
      ...{ volumeUsd30d: 1_234.56, returnedUsd30d: 100, payers30d: 37, topPayerShare: 0.25 },
      returnedBy: [{ ...sender, isFunded: false, returnedUsd30d: 100 }],
    };
    const partial = { ...FULL_INPUTS, settlement: { ...read, partial: true } };
    const report = createReport(partial, {
      facts: { settlement: facts.settlement && { ...facts.settlement, wallets } },
    });
    expect(trustReportSchema.parse(report)).toEqual(report);
    expect(report.settlement).toMatchObject({
      ...{ volumeUsd30d: '1234.560000', returnedUsd30d: '100.000000', partial: true },
      returnedBy: [{ ...sender, funded: false, returnedUsd30d: '100.000000' }],
      wallets: [
        { volumeUsd30d: '1334.560000', lastSettledAt: '2026-06-01T00:00:00.000Z' },
        { payTo: '0xbb', network: 'eip155:137', volumeUsd30d: null, payers30d: null },
      ],
    });
    expect(report.components.activity.explanation).toBe(
      'The payers settled at least $1,334.56 to the advertised wallets in the last 30 days, and $100.00 of it was sent back to them. 37 payers paid what stayed, the largest of them 25.0 %. 12 other endpoints of this host and 2 endpoints of other hosts advertise the same payTo address, so this volume may include payments to them.',
    );
    expect(readInputs(report).settlement).toEqual(partial.settlement);
  });
});
