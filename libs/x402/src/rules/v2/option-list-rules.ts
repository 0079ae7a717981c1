import { findToken, toBareAsset } from '../../networks/tokens.ts';
import { isTestnet, normalizeAddress } from '../../networks/networks.ts';
import { parseAmount, toCommonScale } from '../../networks/money.ts';
import type { Entry, Envelope } from '../../challenge/envelope.ts';
import { hasOwnDomain } from '../../challenge/own-domain.ts';
import { getTransferMethod, isCaip2, isPaidByEip3009 } from '../offered-options.ts';
import { checkV2Envelope, type Outcome, passIf, type Rule } from '../rule.ts';
import { quote, readMember } from '../../json/untrusted-json.ts';

/** Maximum price of an option, in percent of the lowest price in the same challenge. */
const MAX_PRICE_PERCENT = 105n;

/** Payment option with valid members, which can be compared with other options. */
interface ComparableOption {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: bigint;
  /** Key made from the scheme, network, token, transfer method and payment flow of the option. */
  readonly methodKey: string;
}

/** Converts an option with valid members; returns null for other options, and for options with a domain of their own. */
function toComparableOption(fields: Entry): ComparableOption | null {
  const { scheme, network, asset, payTo, amount } = fields;
  if (hasOwnDomain(fields, network)) return null;
  const units = typeof amount === 'string' ? parseAmount(amount) : null;
  if (units === null || !isCaip2(network) || typeof scheme !== 'string') return null;
  if (typeof asset !== 'string' || typeof payTo !== 'string') return null;
  const token = normalizeAddress(network, toBareAsset(network, asset));
  // JSON quotes each part, so that different parts never form the same key. Parts that are not strings become null.
  const methodKey = JSON.stringify(
    [scheme, network, token, getEffectiveTransferMethod(fields), getPaymentFlow(fields)].map((part) =>
      typeof part === 'string' ? part : null,
    ),
  );
  return { scheme, network, asset, payTo: normalizeAddress(network, payTo), amount: units, methodKey };
}

/**
 * Returns the transfer method that clients use. EIP-3009 is the default of schemes that sign with the EIP-712 domain of
 * the token.
 */
function getEffectiveTransferMethod(fields: Entry): unknown {
  return isPaidByEip3009(fields) ? 'eip3009' : getTransferMethod(fields);
}

/**
 * Returns the payment flow of an option, or else the default flow of its scheme. Source: x402 v2 specification, 6.1;
 * x402 auth-capture scheme on EVM, `extra`.
 */
function getPaymentFlow({ scheme, extra }: Entry): unknown {
  return readMember(extra, 'paymentFlow') ?? (scheme === 'auth-capture' ? 'escrow' : 'authorization');
}

function selectComparableOptions({ entries }: Envelope): ComparableOption[] {
  return entries.flatMap((entry) => (entry && toComparableOption(entry)) ?? []);
}

function checkUnambiguous(v2: Envelope): Outcome {
  if (v2.entries.length < 2) return 'skip';
  const options = selectComparableOptions(v2);
  if (options.length < 2) return 'skip';
  const rivals = [...Map.groupBy(options, ({ methodKey }) => methodKey).values()].find(differInPayment);
  const [first] = rivals ?? [];
  if (rivals === undefined || first === undefined) return 'pass';
  const method = `${quote(first.asset)} on ${quote(first.network)} with scheme ${quote(first.scheme)}`;
  return {
    message: `${String(rivals.length)} options for ${method} differ only in payTo or amount. Clients pay the first option that they can.`,
  };
}

function differInPayment(options: readonly ComparableOption[]): boolean {
  const [first, ...others] = options;
  return others.some(({ payTo, amount }) => payTo !== first?.payTo || amount !== first.amount);
}

function checkCoherent(v2: Envelope): Outcome {
  if (v2.entries.length < 2) return 'skip';
  // The rule `v2-accepts-unambiguous` already reports different prices for the same payment method.
  if (typeof checkUnambiguous(v2) === 'object') return 'skip';
  const priced = selectComparableOptions(v2).filter(({ network }) => !isTestnet(network));
  // An upto amount is a maximum and an exact amount is a price, so only amounts of the same scheme are compared.
  const prices = [...Map.groupBy(priced, ({ scheme }) => scheme).values()].map((group) =>
    group.flatMap(toPrices),
  );
  const comparable = prices.filter((group) => group.length > 1);
  if (comparable.length === 0) return 'skip';
  return passIf(comparable.every(isCoherent), 'The dollar prices of the options differ by more than 5 %.');
}

function toPrices({ network, asset, amount }: ComparableOption): bigint[] {
  const token = findToken(network, asset);
  return token === null ? [] : [toCommonScale(amount, token.decimals)];
}

/** Returns true when no price exceeds the lowest price by more than 5 percent. */
function isCoherent(prices: readonly bigint[]): boolean {
  const [first = 0n, ...others] = prices;
  const lowest = others.reduce((low, price) => (price < low ? price : low), first);
  return prices.every((price) => price * 100n <= lowest * MAX_PRICE_PERCENT);
}

/** Rules that compare the version 2 options with each other. */
export const V2_OPTION_LIST_RULES: readonly Rule[] = [
  {
    id: 'v2-accepts-unambiguous',
    level: ['payable', 'warning'],
    requirement: 'Options with the same payment method have the same payee and the same amount.',
    fix: 'Keep one option for each combination of scheme, network, asset, transfer method and payment flow.',
    check: checkV2Envelope(checkUnambiguous),
  },
  {
    id: 'v2-price-coherent',
    level: ['hygiene', 'warning'],
    requirement: 'The resource has about the same price in every dollar token.',
    fix: 'Set all amounts to the same dollar price. Take the decimals of each token into account.',
    check: checkV2Envelope(checkCoherent),
  },
];
