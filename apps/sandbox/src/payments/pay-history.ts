import { setImmediate as breathe } from 'node:timers/promises';
import type { PaymentPayload, PaymentRequired } from '@x402/core/types';
import { encodeFunctionData, keccak256 } from 'viem';
import type { Hex, PrivateKeyAccount } from 'viem';
import { answerTo } from '../answer.ts';
import { sandboxUsdcAbi as abi } from '../chain/contracts.generated.ts';
import { CHAIN_ID, USDC } from '../chain/network.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import type { HttpReply } from '../http-reply.ts';
import { authorizationOf, promisedBy } from './buyer.ts';
import type { Buyer } from './buyer.ts';
import type { Ledger, LedgerEntry, PromisedPayment } from './ledger.ts';
import type { PlannedCall } from './planned-calls.ts';
import { readableTerms } from './readable-terms.ts';
import type { Refunds } from './refunds.ts';

export interface HistoryOptions {
  readonly chain: SandboxChain;
  readonly ledger: Ledger;
  /** The wallet of a name. */
  readonly buyer: (name: string) => Buyer;
  /** Pays for gas, and sends nothing else, so that it can count its own transactions. */
  readonly relayer: PrivateKeyAccount;
  readonly refunds: Refunds;
}

interface Signed {
  readonly promised: PromisedPayment;
  readonly transaction: Hex;
}

const GAS = 200_000n;
const MAX_FEE = 10_000_000_000n;

/** Terms by answer: endpoints give the same answer as long as their state lasts. */
const known = new WeakMap<HttpReply, PaymentRequired | null>();

/** What an endpoint asks of a caller at the time of the call, or null when it cannot be paid then. */
const termsFor = ({ resident, at }: PlannedCall, { http }: Buyer): PaymentRequired | null => {
  const ask = { method: resident.endpoint.method, path: resident.path, item: '' };
  const answer = answerTo(resident, ask, at);
  if (answer.transport !== 'reply' || answer.reply.status !== 402) return null;
  const found = known.get(answer.reply);
  if (found !== undefined) return found;
  const terms = readableTerms(http, answer.reply);
  known.set(answer.reply, terms);
  return terms;
};

/** The payment the stock client signs, or null when it would not pay this. */
const signedBy = async (call: PlannedCall, buyer: Buyer): Promise<PaymentPayload | null> => {
  const terms = termsFor(call, buyer);
  return terms && buyer.sign(terms).catch(() => null);
};

const settlement = (payment: PaymentPayload, nonce: number, relayer: PrivateKeyAccount): Promise<Hex> => {
  const { signature, authorization } = authorizationOf(payment);
  const { from, to, value, validAfter, validBefore } = authorization;
  const times = [BigInt(validAfter), BigInt(validBefore)] as const;
  const args = [from, to, BigInt(value), ...times, authorization.nonce, signature] as const;
  return relayer.signTransaction({
    type: 'eip1559',
    chainId: CHAIN_ID,
    nonce,
    gas: GAS,
    maxFeePerGas: MAX_FEE,
    maxPriorityFeePerGas: 0n,
    to: USDC,
    data: encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args }),
  });
};

const signAll = async (calls: readonly PlannedCall[], options: HistoryOptions): Promise<Signed[]> => {
  const { chain, relayer, buyer } = options;
  let nonce = Number(await chain.rpc.call('eth_getTransactionCount', [relayer.address, 'latest']));
  const signed: Signed[] = [];
  for (const call of calls) {
    const payment = await signedBy(call, buyer(call.buyer));
    // Endpoints are served by the same event loop, and signing takes a millisecond or two.
    await breathe();
    if (!payment) continue;
    const promised = promisedBy(payment, { endpoint: call.resident.endpoint.name, wash: call.wash });
    signed.push({ promised, transaction: await settlement(payment, nonce, relayer) });
    nonce += 1;
  }
  return signed;
};

/**
 * Pays calls of the past in one block: signed by the stock client on the terms that the endpoint had at the time, and
 * settled by the token's own call. Only the HTTP between them is left out, and with it a minute a day.
 * @param at time of the block, seconds since 1970
 */
export const payHistory = async (
  calls: readonly PlannedCall[],
  at: number,
  options: HistoryOptions,
): Promise<void> => {
  const { chain, ledger, refunds } = options;
  const signed = await signAll(calls, options);
  const unsigned = refunds.due(at * 1_000);
  if (signed.length === 0 && unsigned.length === 0) return;
  await ledger.promise(signed.map(({ promised }) => promised));
  const mined = await chain.mine({ at, unsigned, signed: signed.map(({ transaction }) => transaction) });
  const succeeded = new Set(mined.outcomes.flatMap(({ hash, succeeded: is }) => (is ? [hash] : [])));
  const entries = signed.flatMap(({ promised, transaction }): LedgerEntry[] => {
    const hash = keccak256(transaction);
    const time = new Date(mined.at * 1_000).toISOString();
    return succeeded.has(hash) ? [{ ...promised, transaction: hash, at: time }] : [];
  });
  await ledger.add(entries);
  refunds.note(entries);
};
