import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DAY_MS, parseJson } from '@touchstone/common';
import type { x402HTTPClient } from '@x402/core/client';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema, type PaymentRequiredV1 } from '@x402/core/schemas';
import type { PaymentRequired, PaymentPayload } from '@x402/core/types';
import { encodeFunctionData, keccak256, type Hex, type PrivateKeyAccount } from 'viem';
import { createTransferCall } from '../chain/chain-access.ts';
import { sandboxUsdcAbi as abi } from '../chain/contracts.generated.ts';
import type { JournalBlock } from '../chain/journal.ts';
import { CHAIN_NETWORKS, type ChainNetwork } from '../chain/network.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { planResponse } from '../endpoints/plan-response.ts';
import type { HttpResponse } from '../http/responses.ts';
import { parseAuthorization, toPendingPayment, type Buyer } from './buyer.ts';
import type { Ledger, LedgerEntry, PendingPayment } from './ledger.ts';
import type { OutcomeReports } from './outcome-reports.ts';
import type { PlannedCall } from './planned-calls.ts';

function getHeader({ headers }: HttpResponse, name: string): string | null {
  const index = headers.findIndex((each, at) => at % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  return index < 0 ? null : (headers[index + 1] ?? null);
}

/**
 * Converts a v1 challenge to v2. The v1 client makes each payment valid from ten minutes before the real time. The
 * token would reject such a payment at a simulated time in the past. Both versions result in the same call of the token
 * contract.
 */
function toVersion2({ accepts }: PaymentRequiredV1): PaymentRequired {
  return {
    x402Version: 2,
    resource: { url: accepts[0]?.resource ?? '' },
    accepts: accepts.map(({ network, maxAmountRequired, extra, ...offer }) => ({
      ...{ scheme: offer.scheme, asset: offer.asset, payTo: offer.payTo },
      maxTimeoutSeconds: offer.maxTimeoutSeconds,
      amount: maxAmountRequired,
      network: CHAIN_NETWORKS.find(({ v1Name }) => v1Name === network)?.id ?? 'v1:other',
      extra: extra ?? {},
    })),
  };
}

/**
 * Reads the challenge of a response with the reference client and converts it to v2.
 * @returns the v2 challenge, or null when the client cannot read the challenge or a member of the challenge is invalid
 */
export function readPaymentRequired(http: x402HTTPClient, response: HttpResponse): PaymentRequired | null {
  try {
    const body = parseJson(response.body.toString('utf8'));
    const required = http.getPaymentRequiredResponse((name) => getHeader(response, name), body);
    if (PaymentRequiredV2Schema.safeParse(required).success) return required;
    return toVersion2(PaymentRequiredV1Schema.parse(required));
  } catch {
    return null;
  }
}

/**
 * Refunds of wash trading on one network. The seller sends the money back to the wallets that made the wash payments.
 */
interface Refunds {
  /** Records settled payments. Wash payments are refunded later, except payments of a wallet to itself. */
  readonly record: (entries: readonly LedgerEntry[]) => void;
  /**
   * Returns and removes all open refunds if a new simulated day has begun since the last refunds. Otherwise returns an
   * empty list. `at` is the simulated time in milliseconds since 1970.
   */
  readonly takeDue: (at: number) => JournalBlock['unsigned'];
}

/** Creates an empty list of refunds. @param epoch start of day 0 of the simulated time, in milliseconds since 1970 */
export function createRefunds(network: ChainNetwork, epoch: number): Refunds {
  const owed = new Map<string, { from: Hex; to: Hex; value: bigint }>();
  let lastDay = 0;
  return {
    record: (entries) => {
      for (const { wash, payer, payTo, amount } of entries) {
        if (!wash || payer.toLowerCase() === payTo.toLowerCase()) continue;
        const value = (owed.get(payTo + payer)?.value ?? 0n) + BigInt(amount);
        owed.set(payTo + payer, { from: payTo, to: payer, value });
      }
    },
    takeDue: (at) => {
      const day = Math.floor((at - epoch) / DAY_MS);
      if (day <= lastDay) return [];
      lastDay = day;
      const calls = [...owed.values()].map((transfer) => createTransferCall(network, transfer));
      owed.clear();
      return calls;
    },
  };
}

export interface PastCallOptions {
  readonly chain: SandboxChain;
  readonly ledger: Ledger;
  readonly buyer: (name: string) => Buyer;
  /**
   * Account that sends the settlements and pays for gas. It sends no other transactions, so its next nonces are known
   * without a request.
   */
  readonly relayer: PrivateKeyAccount;
  readonly refunds: Refunds;
  readonly outcomes: Pick<OutcomeReports, 'record'>;
}

interface SignedCall {
  readonly pending: PendingPayment;
  readonly transaction: Hex;
}

const GAS_LIMIT = 200_000n;
const MAX_FEE_PER_GAS_WEI = 10_000_000_000n;

/**
 * Cache of parsed challenges. The key is the response object: an endpoint returns the same object until its state
 * changes.
 */
const parsedChallenges = new WeakMap<HttpResponse, PaymentRequired | null>();

/**
 * Returns the challenge that the endpoint sends at the time of a call. Returns null when the endpoint cannot be paid at
 * that time.
 */
function getChallenge({ endpoint, at }: PlannedCall, { http }: Buyer): PaymentRequired | null {
  const request = { method: endpoint.definition.method, path: endpoint.path, id: '' };
  const planned = planResponse(endpoint, request, at);
  if (planned.transport !== 'response' || planned.response.status !== 402) return null;
  const cached = parsedChallenges.get(planned.response);
  if (cached !== undefined) return cached;
  const required = readPaymentRequired(http, planned.response);
  parsedChallenges.set(planned.response, required);
  return required;
}

/**
 * Signs the payment of a call with the reference client. Returns null when there is no readable challenge, or when the
 * client refuses to pay.
 */
async function signPayment(call: PlannedCall, buyer: Buyer): Promise<PaymentPayload | null> {
  const required = getChallenge(call, buyer);
  return required && buyer.sign(required).catch(() => null);
}

/**
 * Signs the transaction that settles a payment. @param nonce number of transactions that the relayer has sent before
 */
function signSettlement(
  payment: PaymentPayload,
  { chain: { network }, relayer }: PastCallOptions,
  nonce: number,
): Promise<Hex> {
  const { signature, authorization } = parseAuthorization(payment);
  const { from, to, value, validAfter, validBefore } = authorization;
  const times = [BigInt(validAfter), BigInt(validBefore)] as const;
  const args = [from, to, BigInt(value), ...times, authorization.nonce, signature] as const;
  return relayer.signTransaction({
    type: 'eip1559',
    chainId: network.viemChain.id,
    nonce,
    gas: GAS_LIMIT,
    maxFeePerGas: MAX_FEE_PER_GAS_WEI,
    maxPriorityFeePerGas: 0n,
    to: network.usdc,
    data: encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args }),
  });
}

async function signAll(calls: readonly PlannedCall[], options: PastCallOptions): Promise<SignedCall[]> {
  const { chain, relayer, buyer } = options;
  const { network } = chain;
  let nonce = Number(await chain.rpc.call('eth_getTransactionCount', [relayer.address, 'latest']));
  const signed: SignedCall[] = [];
  for (const call of calls) {
    const payment = await signPayment(call, buyer(call.buyer));
    // Each signature takes one or two milliseconds. This pause between two signatures lets the endpoint server respond,
    // because the server uses the same event loop.
    await yieldToEventLoop();
    if (!payment) continue;
    const { name: endpoint } = call.endpoint.definition;
    const pending = toPendingPayment(payment, { network: network.id, endpoint, wash: call.wash });
    signed.push({ pending, transaction: await signSettlement(payment, options, nonce) });
    nonce += 1;
  }
  return signed;
}

/**
 * Settles the payments of past calls in one block. The reference client signs each payment for the challenge at the
 * time of the call, and the token contract executes the payment. No HTTP requests are sent, because they would take
 * about a minute per simulated day.
 * @param at time of the block, in seconds since 1970
 */
export async function settlePastCalls(
  calls: readonly PlannedCall[],
  at: number,
  options: PastCallOptions,
): Promise<void> {
  const { chain, ledger, outcomes, refunds } = options;
  const signed = await signAll(calls, options);
  const unsigned = refunds.takeDue(at * 1_000);
  if (signed.length === 0 && unsigned.length === 0) return;
  await ledger.recordPending(signed.map(({ pending }) => pending));
  const mined = await chain.mine({ at, unsigned, signed: signed.map(({ transaction }) => transaction) });
  const succeeded = new Set(mined.results.flatMap((result) => (result.succeeded ? [result.hash] : [])));
  const entries = signed.flatMap(({ pending, transaction }): LedgerEntry[] => {
    const hash = keccak256(transaction);
    const time = new Date(mined.at * 1_000).toISOString();
    return succeeded.has(hash) ? [{ ...pending, transaction: hash, at: time }] : [];
  });
  await ledger.add(entries);
  refunds.record(entries);
  // An agent of the past sends no request, and each endpoint that delivers to testers only answers agents with 502.
  outcomes.record(entries.map((entry) => ({ entry, httpStatus: 502 })));
}
