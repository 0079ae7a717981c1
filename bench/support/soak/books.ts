import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, http, parseAbi } from 'viem';
import type { SandboxService } from '../sandbox-service.ts';
import { isOpen, type SignedPurchase } from './purchases.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const AUTHORIZATION_ABI = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);
const ROWS_PER_REQUEST = 500;
/** Maximum duration of the reconciliation of all payments, in milliseconds. Its job runs every two minutes. */
const RECONCILIATION_MS = 10 * 60_000;
const POLL_MS = 5_000;

interface PaymentRow {
  readonly nonce: string;
  readonly state: string;
  readonly transaction: string | null;
}

/** Reads all rows of a payer from the payments table. */
async function readRows(service: SandboxService, dataDir: string, payer: string): Promise<PaymentRow[]> {
  // The service wrote this file, so the cast is safe.
  const { keys } = JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8')) as {
    keys: { secret: string };
  };
  const headers = { apikey: keys.secret, authorization: `Bearer ${keys.secret}` };
  const rows: PaymentRow[] = [];
  for (;;) {
    // The filter is `like`, because the embedded database API parses `eq.0x…` as a number.
    const query = `payer=like.${payer}&select=nonce,state,transaction&order=nonce&limit=${ROWS_PER_REQUEST}&offset=${rows.length}`;
    const response = await fetch(`${service.database}/rest/v1/payments?${query}`, { headers });
    if (!response.ok) throw new Error(`the database responded with ${response.status}`);
    // The migrations define the columns, so the cast is safe.
    const page = (await response.json()) as PaymentRow[];
    rows.push(...page);
    if (page.length < ROWS_PER_REQUEST) return rows;
  }
}

/** Reads the transactions on the chain by the nonce of their authorization, and the number of transfers of the payer. */
async function readChain({ chains }: SandboxService, payer: `0x${string}`) {
  const client = createPublicClient({ transport: http(chains.rpcUrls['eip155:8453']) });
  const range = { address: USDC, fromBlock: 0n, strict: true } as const;
  const used = await client.getContractEvents({
    ...{ ...range, abi: AUTHORIZATION_ABI, eventName: 'AuthorizationUsed' },
    args: { authorizer: payer },
  });
  const transfers = await client.getContractEvents({
    ...{ ...range, abi: erc20Abi, eventName: 'Transfer' },
    args: { from: payer },
  });
  return {
    transfers: transfers.length,
    byNonce: Map.groupBy(
      used.map(({ args, transactionHash }) => ({
        nonce: args.nonce.toLowerCase(),
        transaction: transactionHash.toLowerCase(),
      })),
      ({ nonce }) => nonce,
    ),
  };
}

type Transactions = readonly { readonly transaction: string }[];

/** Returns what is wrong with the books of one purchase; null if they agree. */
function findMismatch(
  signed: SignedPurchase,
  onChain: Transactions,
  rows: readonly PaymentRow[],
): string | null {
  if (isOpen(signed)) return `has no final response (${String(signed.status)})`;
  const settled = rows.filter(({ state }) => state === 'settled');
  if (signed.status !== 200) {
    if (onChain.length > 0) return `was charged, but its last response has status ${String(signed.status)}`;
    return settled.length > 0 ? 'is settled in the table, but not on the chain' : null;
  }
  if (signed.transaction === null) return 'was served without a receipt';
  if (onChain.length !== 1) return `was served, and has ${onChain.length} transfers on the chain`;
  if (onChain[0]?.transaction !== signed.transaction) return 'has a receipt of another transaction';
  if (settled.length !== 1 || rows.length !== 1) return `was served, and has ${settled.length} settled rows`;
  return settled[0]?.transaction?.toLowerCase() === signed.transaction
    ? null
    : 'has another transaction in the table';
}

/**
 * Reads the rows of a payer when all of its settlements are recorded. A settlement that could not be recorded after its
 * response, because a part was killed, is recorded by the reconciliation.
 */
async function readReconciledRows(
  service: SandboxService,
  dataDir: string,
  payer: string,
): Promise<PaymentRow[]> {
  const started = performance.now();
  for (;;) {
    const rows = await readRows(service, dataDir, payer);
    const open = rows.filter(({ state }) => state === 'settling').length;
    const seconds = Math.round((performance.now() - started) / 1_000);
    if (open === 0) {
      console.log(`\nAll settlements were recorded after ${seconds} s.`);
      return rows;
    }
    if (seconds * 1_000 > RECONCILIATION_MS) return rows;
    await sleep(POLL_MS);
  }
}

/** Compares the responses with the chain and the payments table, and returns the mismatches. */
export async function compareBooks(
  service: SandboxService,
  dataDir: string,
  { payer, purchases }: { readonly payer: `0x${string}`; readonly purchases: readonly SignedPurchase[] },
): Promise<readonly string[]> {
  const chain = await readChain(service, payer);
  const rows = Map.groupBy(
    await readReconciledRows(service, dataDir, payer.toLowerCase()),
    ({ nonce }) => nonce,
  );
  const served = purchases.filter(({ status }) => status === 200).length;
  const mismatches = purchases.flatMap((signed) => {
    const mismatch = findMismatch(
      signed,
      chain.byNonce.get(signed.nonce) ?? [],
      rows.get(signed.nonce) ?? [],
    );
    return mismatch === null ? [] : [`payment ${signed.nonce} ${mismatch}`];
  });
  console.log(
    `\n${purchases.length} payments: ${served} served, ${chain.transfers} transfers on the chain, ` +
      `${purchases.filter(({ requests }) => requests > 1).length} needed more than one request`,
  );
  if (chain.transfers === served) return mismatches;
  return [...mismatches, `${served} purchases were served, and ${chain.transfers} transfers were made`];
}
