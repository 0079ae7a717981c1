import type { SettlementStep } from '@touchstone/x402';
import {
  assignWalletGroups,
  readWalletGroups,
  readSettlementFigures,
  recordSettlements,
  type WalletGroup,
} from '../index.ts';
import { makePayOn, T0, type TestDatabase } from './fixtures.ts';

export function walletAddress(n: number): string {
  return `0x${n.toString(16).padStart(40, '1')}`;
}

export function payerAddress(n: number): string {
  return `0x${n.toString(16).padStart(40, 'a')}`;
}

export type Row = SettlementStep['settlements'][number];

let rows = 0;

/** Returns a settlement in block `block`. The time of block n is n minutes after T0. */
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

/** Returns a step in which the chain was read up to a block. */
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

/** Returns test functions for one network: endpoints advertise wallets, and steps with settlements are recorded. */
export function openNetwork(database: TestDatabase, network: string) {
  const advertise = async (id: string, payTo: readonly string[], at = T0) => {
    await database.discover(network, at, [id]);
    const payOn = payTo.map((to) => makePayOn({ network, payTo: to }));
    await database.publish(id, at, { snapshot: { payOn } });
  };
  const open = (now: number) => assignWalletGroups(database.db, { network, now });
  /** Advertises wallets and adds them to the wallets that are read. */
  const add = async (id: string, payTo: readonly string[]) => {
    await advertise(id, payTo);
    return open(T0);
  };
  const groups = () => readWalletGroups(database.db, network);
  const readGroup = async (number: number): Promise<WalletGroup> => {
    const group = (await groups()).find((one) => one.group === number);
    if (!group) throw new Error(`there is no wallet group ${number}`);
    return group;
  };
  const record = async (number: number, step: SettlementStep, asOf?: number) => {
    const { group, revision } = await readGroup(number);
    return recordSettlements(database.db, { network, group, revision: asOf ?? revision, now: T0 }, step);
  };
  const readFigures = async (payTo: string, now: number) => {
    const [set] = await readSettlementFigures(database.db, [[{ network, payTo, isCounted: true }]], now);
    const [figures] = set?.wallets ?? [];
    if (!figures) throw new Error('no figures');
    return figures;
  };
  return { network, advertise, open, add, groups, readGroup, record, readFigures };
}
