import type { SettlementStep } from '@touchstone/x402';
import {
  assignWalletGroups,
  readWalletGroups,
  readSettlementFigures,
  readWalletDays,
  recordSettlements,
  saveSnapshots,
  type WalletGroup,
} from '../index.ts';
import { HOUR, makeEndpoint, makeSnapshotRow, T0, type TestDatabase } from './fixtures.ts';

export const DAY = 24 * HOUR;
export const walletAddress = (n: number): string => `0x${n.toString(16).padStart(40, '1')}`;
export const payerAddress = (n: number): string => `0x${n.toString(16).padStart(40, 'a')}`;
export type Row = SettlementStep['settlements'][number];

let rows = 0;
/** A settlement of block n, which is n minutes after T0. */
export function makeSettlement(block: number, payTo: string, extra: Partial<Row> = {}): Row {
  rows += 1;
  return {
    transaction: `0x${rows.toString(16).padStart(64, '0')}`,
    logIndex: 1,
    blockNumber: BigInt(block),
    blockHash: `0x${block.toString(16).padStart(64, '0')}`,
    at: T0 + block * 60_000,
    payer: payerAddress(1),
    payTo,
    asset: '0xusdc',
    amount: 10n,
    kind: 'x402',
    facilitator: null,
    ...extra,
  };
}

/** A step that read up to a block. */
export function makeStep(
  block: number,
  settlements: readonly Row[] = [],
  extra: Partial<SettlementStep> = {},
): SettlementStep {
  const number = BigInt(block);
  return {
    settlements,
    cursor: { fromBlock: 0n, nextBlock: number + 1n, anchors: [{ number, hash: `h${block}` }], span: 9_000 },
    through: { block: number, at: T0 + block * 60_000 },
    caughtUp: true,
    removedFrom: null,
    ...extra,
  };
}

/** A network of its own in the shared database, where endpoints advertise wallets. */
export function openNetwork(database: TestDatabase, network: string) {
  const advertise = async (id: string, payTo: readonly string[], at = T0) => {
    await database.discover(network, at, [makeEndpoint(id)]);
    const row = makeSnapshotRow(id, 80);
    const payOn = payTo.map((to) => ({
      network,
      asset: 'usdc',
      assetSymbol: 'USDC',
      amount: '1',
      amountUsd: '0.000001',
      decimals: 6,
      payTo: to,
      scheme: 'exact',
    }));
    await saveSnapshots(database.db, at, [{ ...row, snapshot: { ...row.snapshot, payOn } }]);
  };
  const open = (now: number) => assignWalletGroups(database.db, { network, now });
  const lanes = () => readWalletGroups(database.db, network);
  const laneOf = async (number: number): Promise<WalletGroup> => {
    const lane = (await lanes()).find((one) => one.group === number);
    if (!lane) throw new Error(`there is no lane ${number}`);
    return lane;
  };
  const record = async (number: number, step: SettlementStep, asOf?: number) => {
    const { group: lane, revision } = await laneOf(number);
    return recordSettlements(
      database.db,
      { network, group: lane, revision: asOf ?? revision, now: T0 },
      step,
    );
  };
  const figuresOf = async (payTo: string, now: number) => {
    const [set] = await readSettlementFigures(database.db, [[{ network, payTo, isCounted: true }]], now);
    const [figures] = set?.wallets ?? [];
    if (!figures) throw new Error('no figures');
    return figures;
  };
  const daysOf = (payTo: string) =>
    readWalletDays(database.db, { network, payTo }, { from: T0 - 90 * DAY, to: T0 + 90 * DAY });
  return { network, advertise, open, lanes, laneOf, record, figuresOf, daysOf };
}
