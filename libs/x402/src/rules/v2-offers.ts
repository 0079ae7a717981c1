import type { EntryFields } from '../entry.ts';
import type { Envelope } from '../envelope.ts';
import { readAmount, toCommonScale } from '../money.ts';
import { isTestnet } from '../networks.ts';
import { isCaip2, signsDomain, transferMethodOf } from './option-kind.ts';
import { expect, onV2, type Outcome, type Rule } from './rule.ts';
import { quote } from '../text.ts';
import { bareAsset, findToken } from '../tokens.ts';

/** The dearest offer may cost this much of the cheapest, in hundredths. */
const TOLERATED_PERCENT = 105n;

/** An option whose terms are well-formed enough to be held against another's. */
interface Offer {
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly amount: bigint;
  /** Equal for options that a buyer chooses between by nothing but payee and price. */
  readonly way: string;
}

function toOffer(fields: EntryFields): Offer | null {
  const { scheme, network, asset, payTo, amount } = fields;
  const units = typeof amount === 'string' ? readAmount(amount) : null;
  if (units === null || !isCaip2(network) || typeof scheme !== 'string') return null;
  if (typeof asset !== 'string' || typeof payTo !== 'string') return null;
  const fold = (address: string): string => (network.startsWith('eip155:') ? address.toLowerCase() : address);
  const token = fold(bareAsset(network, asset));
  // Serialised, so that no text can be mistaken for the end of another; what is no text names nothing.
  const way = JSON.stringify(
    [scheme, network, token, methodOf(fields), flowOf(fields)].map((part) =>
      typeof part === 'string' ? part : null,
    ),
  );
  return { scheme, network, asset, payTo: fold(payTo), amount: units, way };
}

/** What is left out is what the client takes for it: EIP-3009 where the scheme signs under the token's domain. */
function methodOf(fields: EntryFields): unknown {
  return signsDomain(fields) ? 'eip3009' : transferMethodOf(fields);
}

/** Source: x402 v2 specification, 6.1; x402 auth-capture scheme on EVM, `extra`. */
function flowOf({ scheme, extra }: EntryFields): unknown {
  return extra?.paymentFlow ?? (scheme === 'auth-capture' ? 'escrow' : 'authorization');
}

function offersOf({ entries }: Envelope): Offer[] {
  return entries.flatMap((entry) => (entry && toOffer(entry.fields)) ?? []);
}

function groupBy(offers: readonly Offer[], keyOf: (offer: Offer) => string): Offer[][] {
  const groups = new Map<string, Offer[]>();
  for (const offer of offers) {
    const group = groups.get(keyOf(offer));
    if (group === undefined) groups.set(keyOf(offer), [offer]);
    else group.push(offer);
  }
  return [...groups.values()];
}

function checkUnambiguous(v2: Envelope): Outcome {
  if (v2.entries.length < 2) return 'skip';
  const offers = offersOf(v2);
  if (offers.length < 2) return 'skip';
  const rivals = groupBy(offers, ({ way }) => way).find(differ);
  const [first] = rivals ?? [];
  if (rivals === undefined || first === undefined) return 'pass';
  const inWhat = `${quote(first.asset)} on ${quote(first.network)} by ${quote(first.scheme)}`;
  return {
    message: `${String(rivals.length)} options in ${inWhat} differ only in payTo or amount; which holds is not said.`,
  };
}

function differ(offers: readonly Offer[]): boolean {
  const [first, ...others] = offers;
  return others.some(({ payTo, amount }) => payTo !== first?.payTo || amount !== first.amount);
}

function checkCoherent(v2: Envelope): Outcome {
  if (v2.entries.length < 2) return 'skip';
  // What is ambiguous has two prices already; that is said once.
  if (typeof checkUnambiguous(v2) === 'object') return 'skip';
  const priced = offersOf(v2).filter(({ network }) => !isTestnet(network));
  // An upto price is a limit and an exact one is not, so only prices of one scheme are compared.
  const prices = groupBy(priced, ({ scheme }) => scheme).map((group) => group.flatMap(priceOf));
  const comparable = prices.filter((group) => group.length > 1);
  if (comparable.length === 0) return 'skip';
  return expect(
    comparable.every(isCoherent),
    'The dollar prices of the options differ by more than 5 %, so the same thing costs more on one of them.',
  );
}

function priceOf({ network, asset, amount }: Offer): bigint[] {
  const token = findToken(network, asset);
  return token === null ? [] : [toCommonScale(amount, token.decimals)];
}

/** True when no price exceeds the lowest by more than is tolerated; exact, on integers. */
export function isCoherent(prices: readonly bigint[]): boolean {
  const [first = 0n, ...others] = prices;
  const lowest = others.reduce((low, price) => (price < low ? price : low), first);
  return prices.every((price) => price * 100n <= lowest * TOLERATED_PERCENT);
}

/** Rules on the options of version 2 together. */
export const V2_OFFER_RULES: readonly Rule[] = [
  {
    id: 'v2-accepts-unambiguous',
    axis: 'payable',
    severity: 'error',
    holds: 'No two options ask for different payments in the same way.',
    fix: 'Leave one option for each scheme, network, asset and way of payment.',
    reference: { source: 'HOUSE', clause: '' },
    check: onV2(checkUnambiguous),
  },
  {
    id: 'v2-price-coherent',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'The resource costs about as much in every dollar token.',
    fix: 'Set the amounts to the same price in dollars, with the decimals of each token in mind.',
    reference: { source: 'HOUSE', clause: '' },
    check: onV2(checkCoherent),
  },
];
