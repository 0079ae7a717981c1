import { openSharedSandbox } from '@touchstone/common/testing';
import { createProber, type Probe } from '@touchstone/probe';
import type { Challenge } from '@touchstone/x402';
import { readProbeChallenge } from '../../probing/observe.ts';
import { isErrorException, isException } from './exceptions.ts';
import { isStalled } from './response-bytes.ts';
import { STALL_MS, startSellerServers, type SellerServers } from './seller-server.ts';
import type { Seller } from './seller.ts';
import { createSettle, type Attempt, type PaidOption, type Settle, type Settlement } from './settlement.ts';
import { createStockClients, type Method, type StockClients } from './stock-clients.ts';

/** Stock clients and a reference facilitator, with which the verdicts on generated sellers are compared. */
export interface Oracle {
  /** Numbers of sellers to which the client of a version sent a payment that did not settle. */
  readonly unsettled: Readonly<Record<Version, number>>;
  /**
   * Compares the verdict on a seller with the payments of the stock clients. Returns a sentence for each difference,
   * without the intended exceptions.
   */
  findDisagreements(seller: Seller): Promise<readonly string[]>;
  close(): Promise<void>;
}

type Version = 'v1' | 'v2';

interface Parts {
  readonly unsettled: Record<Version, number>;
  readonly servers: SellerServers;
  readonly clients: StockClients;
  readonly settle: Settle;
}

interface ProbedSeller {
  readonly seller: Seller;
  readonly probed: Probe;
}

const METHODS: readonly Method[] = ['GET', 'POST'];
const VERSIONS: readonly Version[] = ['v1', 'v2'];
/** Addresses of the host name `localhost`. The servers listen only on the second one. */
const LOCALHOST = [
  { address: '::1', family: 6 },
  { address: '127.0.0.1', family: 4 },
] as const;
/** Limits of a probe of a seller whose response never ends. */
const STALL_LIMITS = { firstByteMs: STALL_MS / 2, totalMs: STALL_MS / 2 };

/** Probes a seller of this machine. */
function probe({ servers }: Parts, seller: Seller): Promise<Probe> {
  const prober = createProber({
    resolver: () => Promise.resolve(LOCALHOST),
    guard: () => null,
    userAgent: 'test',
    ...(isStalled(seller) ? { limits: STALL_LIMITS } : {}),
  });
  return prober({ url: servers.open(seller).url, methods: METHODS });
}

/** Returns the best result of the payments of one client version; null without a payment. */
async function judge(
  { settle }: Parts,
  seller: Seller,
  payments: readonly string[],
): Promise<Attempt | null> {
  const attempts: Attempt[] = [];
  for (const payment of payments) attempts.push(await settle(seller, payment));
  return (
    attempts.find(({ result }) => result === 'settled') ??
    attempts.find(({ result }) => result === 'unknown') ??
    attempts[0] ??
    null
  );
}

/** Returns true when the verdict agrees with the result of the clients. */
function isRight(challenge: Challenge | null, version: Version, result: Settlement | 'refused'): boolean {
  const isPayable = challenge?.payable[version] === true;
  if (result === 'refused' || !isPayable) return (result !== 'refused') === isPayable;
  return result === 'unknown' || (result === 'settled') === challenge.settles[version];
}

function formatPrediction(
  challenge: Challenge | null,
  { method, outcome, httpStatus, bodyEnd, failure }: Probe,
  version: Version,
): string {
  const probed = [method, outcome, httpStatus, bodyEnd, failure?.code].join(' ');
  if (challenge === null) return `no challenge (${probed})`;
  const { refusals, settlementFailures } = challenge;
  return `${refusals[version] ?? settlementFailures[version] ?? 'settles'} (${probed})`;
}

/** Compares the probe of a seller with the clients that use the method. */
async function compare(parts: Parts, { seller, probed }: ProbedSeller, method: Method): Promise<string[]> {
  const versions = VERSIONS.filter((version) => !isException(seller, probed, { method, version }));
  if (versions.length === 0) return [];
  const challenge = probed.method === method ? readProbeChallenge(probed) : null;
  const payments = await parts.clients.pay(seller, method);
  const found: string[] = [];
  const settled: Version[] = [];
  const paid: PaidOption[] = [];
  for (const version of versions) {
    const attempt = await judge(parts, seller, payments[version]);
    const result = attempt?.result ?? 'refused';
    if (result === 'settled') settled.push(version);
    if (attempt?.paid !== undefined) paid.push(attempt.paid);
    if (result.startsWith('failed')) parts.unsettled[version] += 1;
    if (!isRight(challenge, version, result))
      found.push(
        `${version} ${method}: clients: ${result}; verdict: ${formatPrediction(challenge, probed, version)}`,
      );
  }
  const isPaid = settled.length === 2 || (seller.sends !== 'both' && settled.includes(seller.sends));
  const errors = isPaid ? listErrors(seller, paid, challenge) : [];
  return [...found, ...errors.map((error) => `${method}: clients: settled; error: ${error}`)];
}

/** Returns the errors of a challenge, without the intended ones. */
function listErrors(
  seller: Seller,
  paid: readonly PaidOption[],
  challenge: Challenge | null,
): readonly string[] {
  return (challenge?.checks ?? [])
    .filter(({ axis, severity, result }) => axis === 'payable' && severity === 'error' && result === 'fail')
    .filter((check) => !isErrorException({ seller, paid, check }))
    .map(({ id, message }) => `${id}: ${message}`);
}

/**
 * Opens the servers of the sellers and the wallets of the clients. The payments settle on the chains of the shared
 * sandbox.
 */
export async function openOracle(): Promise<Oracle> {
  const servers = await startSellerServers();
  const clients = createStockClients(servers);
  const settle = await createSettle(await openSharedSandbox(), clients.wallet);
  const unsettled = { v1: 0, v2: 0 };
  const parts: Parts = { servers, clients, settle, unsettled };
  return {
    unsettled,
    async findDisagreements(seller) {
      const probed = await probe(parts, seller);
      const found: string[] = [];
      for (const method of METHODS) {
        // An agent uses the method of the challenge. Without a challenge, no client may pay with any method.
        const isUsed = probed.method === method || probed.outcome !== 'challenged';
        if (isUsed) found.push(...(await compare(parts, { seller, probed }, method)));
      }
      return found;
    },
    close: () => servers.close(),
  };
}
