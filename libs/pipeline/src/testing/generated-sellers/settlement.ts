import { parseJson } from '@touchstone/common';
import type { SharedSandbox } from '@touchstone/common/testing';
import { toCaip2 } from '@touchstone/x402';
import { setBalance, settlePayment } from './settle-payment.ts';
import { createEnvelopes, POLYGON_USDC, SEPOLIA_USDC, USDC, type JsonObject, type Seller } from './seller.ts';

/**
 * Result of a payment. It is `unknown` when the local chains or the interface of the local facilitator decide nothing
 * about real ones.
 */
export type Settlement = 'settled' | 'unknown' | `failed: ${string}`;

/** Payment that settled: its protocol version, and the index of its option in `accepts`. */
export interface PaidOption {
  readonly version: unknown;
  readonly index: number;
}

/** Result of a payment, with its option if it settled. */
export interface Attempt {
  readonly result: Settlement;
  readonly paid?: PaidOption;
}

/** Function that settles a payment, which is the value of a payment header. */
export type Settle = (seller: Seller, payment: string) => Promise<Attempt>;

/** Networks with a local chain. */
const CHAINS = [
  { id: 'eip155:8453', usdc: USDC },
  { id: 'eip155:137', usdc: POLYGON_USDC },
  { id: 'eip155:84532', usdc: SEPOLIA_USDC },
] as const;
/** Balance of the clients' wallet: ten billion dollars. */
const BALANCE = 10n ** 16n;
/** Addresses without an owner. */
const OWNERLESS = [`0x${'0'.repeat(36)}dead`, `0x${'0'.repeat(39)}1`];

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;
const isSameText = (one: unknown, other: unknown): boolean =>
  String(one).toLowerCase() === String(other).toLowerCase();

/** Returns the EIP-3009 authorization of a payment; empty without one. */
function readAuthorization({ payload }: JsonObject): JsonObject {
  const authorization = isObject(payload) ? payload['authorization'] : null;
  return isObject(authorization) ? authorization : {};
}

interface IndexedOption {
  readonly option: JsonObject;
  readonly index: number;
}

/**
 * Lists the options for which the payment can have been signed. A version 2 payment repeats its option. For a version 1
 * payment, the seller finds the option by network, payee and amount.
 */
function listOptions(seller: Seller, payment: JsonObject): IndexedOption[] {
  const { x402Version, accepted, network } = payment;
  const { v1, v2 } = createEnvelopes(seller);
  const { to, value } = readAuthorization(payment);
  const isSigned = (option: JsonObject): boolean =>
    x402Version === 1
      ? option['network'] === network &&
        isSameText(option['payTo'], to) &&
        isSameText(option['maxAmountRequired'], value)
      : JSON.stringify(option) === JSON.stringify(accepted);
  const accepts: unknown = (x402Version === 1 ? v1 : v2)?.['accepts'];
  return (Array.isArray(accepts) ? accepts : []).flatMap((option: unknown, index) =>
    isObject(option) && isSigned(option) ? [{ option, index }] : [],
  );
}

/** Returns true when the chain accepts a transfer to the payee, and the money is lost. */
const isLost = ({ payTo, asset }: JsonObject): boolean =>
  [...OWNERLESS, asset].some((address) => isSameText(payTo, address));

/** Returns true when the local chain behaves as the real chain for a payment of this option. */
function isLocal({ network, asset, extra }: JsonObject): boolean {
  const isPermit2 = isObject(extra) && extra['assetTransferMethod'] === 'permit2';
  const hasChain = CHAINS.some(({ id }) => toCaip2(String(network)) === id);
  return hasChain && !isPermit2 && CHAINS.some(({ usdc }) => isSameText(asset, usdc));
}

/** Gives the wallet money on all chains, and returns a function that settles payments with the facilitator. */
export async function createSettle(sandbox: SharedSandbox, wallet: string): Promise<Settle> {
  for (const { id, usdc } of CHAINS)
    await setBalance(sandbox.chainRpcUrls[id], { wallet, token: usdc, amount: BALANCE });
  const settleFor = async (payment: JsonObject, option: JsonObject): Promise<Settlement> => {
    const error = await settlePayment(sandbox, { payment, option });
    // The facilitator's schema refuses some options that other facilitators accept.
    if (error === undefined) return 'unknown';
    if (error !== null) return `failed: ${error}`;
    return isLost(option) ? 'failed: lost' : 'settled';
  };
  const settleForAny = async (payment: JsonObject, options: readonly IndexedOption[]): Promise<Attempt> => {
    let result: Settlement = 'unknown';
    for (const { option, index } of options) {
      result = isLocal(option) ? await settleFor(payment, option) : 'unknown';
      if (result === 'settled') return { result, paid: { version: payment['x402Version'], index } };
      if (result === 'unknown') break;
    }
    return { result };
  };
  const known = new Map<string, Promise<Attempt>>();
  return (seller, header) => {
    const payment = parseJson(Buffer.from(header, 'base64').toString());
    if (!isObject(payment)) return Promise.resolve({ result: 'failed: not a payment' });
    const options = listOptions(seller, payment);
    const { to } = readAuthorization(payment);
    // Payments that differ only in nonce and time have equal results, so only the first of them is settled.
    const key = JSON.stringify([payment['x402Version'], to, options]);
    const result = known.get(key) ?? settleForAny(payment, options);
    known.set(key, result);
    return result;
  };
}
