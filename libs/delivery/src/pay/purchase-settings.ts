import { formatDecimal, parseDecimal } from '@touchstone/common';
import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';

const LIMITS = ['purchase', 'endpoint', 'day', 'total'] as const;
const BUDGET_ERROR =
  'must have the limits purchase, endpoint, day and total in US dollars, such as "purchase=0.05 endpoint=0.10 day=1 total=25"';
const KEY_ERROR = 'must be a private key: 64 hexadecimal digits, with or without 0x';

/** Limits of test purchases, in US dollars as decimal texts: for one purchase, an endpoint in 7 days, a UTC day, and all. */
export type Budget = Readonly<Record<(typeof LIMITS)[number], string>>;

/** Wallet, budget and exclusions of test purchases. */
export interface PurchaseSettings {
  readonly account: PrivateKeyAccount;
  readonly budget: Budget;
  /** Hosts and URL prefixes from which nothing is bought. */
  readonly skip: readonly string[];
}

/** Schema of a wallet as the text of its private key. The messages do not contain the key. */
export const deliveryKeySchema = z.string().transform((text, context): PrivateKeyAccount => {
  const [, digits = ''] = /^\s*(?:0x)?([0-9a-f]{64})\s*$/i.exec(text) ?? [];
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    // The error of the library can contain the key.
    context.addIssue(KEY_ERROR);
    return z.NEVER;
  }
});

/** Schema of a budget as text: `purchase=0.05 endpoint=0.10 day=1 total=25`. */
export const deliveryBudgetSchema = z.string().transform((text, context): Budget => {
  const items = text.split(/\s+/).filter((item) => item !== '');
  const given = new Map(items.map((item) => [item.split('=')[0], parseDecimal(item.split('=')[1] ?? '')]));
  const limits = LIMITS.flatMap((name) => {
    const amount = given.get(name) ?? null;
    return amount === null || amount.digits === 0n ? [] : [[name, formatDecimal(amount)] as const];
  });
  if (limits.length === LIMITS.length && items.length === LIMITS.length)
    // The cast is safe: the list has each limit once.
    return Object.fromEntries(limits) as Budget;
  context.addIssue(BUDGET_ERROR);
  return z.NEVER;
});

/** Schema of hosts and URL prefixes, separated by spaces. */
export const deliverySkipSchema = z
  .string()
  .transform((text) => text.split(/\s+/).filter((item) => item !== ''));

/**
 * Returns the settings of test purchases; undefined without a wallet and a budget.
 *
 * @param options.payTo wallet that receives the payments of this service
 * @throws Error with a wallet and no budget, with a budget and no wallet, or with the wallet that receives payments
 */
export function toPurchaseSettings({
  account,
  budget,
  skip = [],
  payTo,
}: {
  readonly account: PrivateKeyAccount | undefined;
  readonly budget: Budget | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly payTo?: string | undefined;
}): PurchaseSettings | undefined {
  if (account === undefined && budget === undefined) return undefined;
  if (account === undefined || budget === undefined)
    throw new Error('DELIVERY_KEY must be set together with DELIVERY_BUDGET.');
  if (account.address.toLowerCase() === payTo?.toLowerCase())
    throw new Error('DELIVERY_KEY must be the key of another wallet than X402_PAY_TO.');
  return { account, budget, skip };
}
