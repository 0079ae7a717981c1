import { checkAssetFormat, isBase58Address } from '../../networks/address.ts';
import { describeWrongDomain, findToken, hasEip712Domain, toBareAsset } from '../../networks/tokens.ts';
import { isTestnet, normalizeAddress, type Token } from '../../networks/networks.ts';
import { parseAmount, toCommonScale } from '../../networks/money.ts';
import type { EntryFields, Envelope } from '../../challenge/envelope.ts';
import { getTransferMethod, isCaip2, isOnEvm, isPaidByEip3009 } from '../offered-options.ts';
import { checkEachV2Option, checkV2Envelope, type Outcome, passIf, type Rule } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';

const TRANSFER_METHODS = new Set<unknown>(['eip3009', 'permit2', 'erc7710']);
const PAYMENT_FLOWS = new Set<unknown>(['authorization', 'upfront', 'escrow']);

function checkDomain(fields: EntryFields): Outcome {
  if (!isPaidByEip3009(fields)) return 'skip';
  return passIf(
    hasEip712Domain(fields.extra),
    'extra lacks the name or version of the token as strings, so clients cannot sign a payment.',
  );
}

/**
 * Checks that the EIP-712 domain of an option equals the domain of its token. Rules for version 1 use this function
 * too.
 *
 * @param network CAIP-2 id
 */
export function checkTokenDomain({ extra }: EntryFields, network: string, asset: unknown): Outcome {
  const domain = typeof asset === 'string' ? findToken(network, asset)?.domain : null;
  if (!domain || !hasEip712Domain(extra)) return 'skip';
  const fault = describeWrongDomain(extra, domain);
  return fault === null ? 'pass' : { message: `${fault}.` };
}

function checkDomainValue(fields: EntryFields): Outcome {
  if (!isPaidByEip3009(fields) || typeof fields.network !== 'string') return 'skip';
  return checkTokenDomain(fields, fields.network, fields.asset);
}

function checkTransferMethod(fields: EntryFields): Outcome {
  if (fields.scheme !== 'exact' || !isOnEvm(fields)) return 'skip';
  const method = getTransferMethod(fields);
  const token = findOptionToken(fields);
  if (method !== null && !TRANSFER_METHODS.has(method))
    return {
      message: `extra.assetTransferMethod is ${quote(method)}; it must be eip3009, permit2 or erc7710.`,
    };
  if (token?.isPermit2Only === true) return checkPermit2(method, token);
  return method === null ? 'skip' : 'pass';
}

function checkPermit2(method: unknown, { symbol }: Token): Outcome {
  if (method === 'eip3009')
    return {
      message: `extra.assetTransferMethod is eip3009, which ${symbol} on this network does not support.`,
    };
  // A missing `assetTransferMethod` is only a warning, because the specification makes it optional. If it is missing,
  // clients sign by EIP-3009, but the token does not support EIP-3009.
  return passIf(
    method !== null,
    () =>
      `extra.assetTransferMethod is missing. Clients then sign by eip3009, which ${symbol} on this network does not support.`,
    { severity: 'warning' },
  );
}

function findOptionToken({ network, asset }: EntryFields): Token | null {
  return typeof network === 'string' && typeof asset === 'string' ? findToken(network, asset) : null;
}

function checkPaymentFlow({ scheme, extra }: EntryFields): Outcome {
  const flow = extra?.paymentFlow ?? null;
  if (flow !== null)
    return passIf(
      PAYMENT_FLOWS.has(flow),
      () => `extra.paymentFlow is ${quote(flow)}; it must be authorization, upfront or escrow.`,
    );
  // Options of the scheme auth-capture need no `paymentFlow`, because their default is escrow. Source: x402
  // auth-capture scheme on EVM, `extra`.
  const name = scheme === 'auth-capture' ? null : findEscrowMember(extra);
  if (name === null) return 'skip';
  return {
    message: `extra.${name} indicates an escrow, but extra.paymentFlow is missing, so clients assume a direct payment.`,
    severity: 'warning',
  };
}

/**
 * Returns the name of the first `extra` member that occurs only in escrow payments; null when `extra` has no such
 * member. Source: x402 auth-capture scheme on EVM, `extra` fields.
 */
function findEscrowMember(extra: EntryFields['extra']): string | null {
  const escrowMembers: readonly (readonly [name: string, value: unknown])[] = [
    ['authCaptureEscrow', extra?.authCaptureEscrow],
    ['captureAuthorizer', extra?.captureAuthorizer],
    ['captureDeadline', extra?.captureDeadline],
    ['escrow', extra?.escrow],
    ['escrowAddress', extra?.escrowAddress],
    ['escrowContract', extra?.escrowContract],
  ];
  const found = escrowMembers.find(([, value]) => value !== undefined && value !== null && value !== false);
  return found?.[0] ?? null;
}

function checkFeePayer({ scheme, network, asset, extra }: EntryFields): Outcome {
  if (scheme !== 'exact' || typeof network !== 'string' || !network.startsWith('solana:')) return 'skip';
  // The rule `v2-asset-shape` reports an asset that is not a Solana address.
  if (typeof asset === 'string' && checkAssetFormat(network, asset) === 'invalid') return 'skip';
  return passIf(
    isBase58Address(extra?.feePayer),
    () =>
      `extra.feePayer is ${quote(extra?.feePayer)}; it must be the Solana address of the account that pays the fees.`,
  );
}

/** Rules for the data that version 2 clients need to sign a payment. */
export const V2_SIGNING_RULES: readonly Rule[] = [
  {
    id: 'v2-eip712-domain',
    level: ['payable', 'error'],
    requirement: 'Every option paid by EIP-3009 names the EIP-712 domain of its token.',
    fix: 'Set extra.name and extra.version to the EIP-712 domain of the token contract.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: checkEachV2Option(checkDomain),
  },
  {
    id: 'v2-eip712-domain-value',
    level: ['payable', 'error'],
    requirement: 'The EIP-712 domain in extra is the domain of the token contract.',
    fix: 'Copy extra.name and extra.version from name() and version() of the token contract on that network.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: checkEachV2Option(checkDomainValue),
  },
  {
    id: 'v2-transfer-method',
    level: ['payable', 'error'],
    requirement: 'The specification defines every transfer method, and the token supports it.',
    fix: 'Set extra.assetTransferMethod to eip3009, permit2 or erc7710, whichever the token supports.',
    reference: { source: 'EXACT_EVM', clause: 'Summary' },
    check: checkEachV2Option(checkTransferMethod),
  },
  {
    id: 'v2-payment-flow',
    level: ['payable', 'error'],
    requirement: 'Clients support every payment flow, and an escrow is declared as one.',
    fix: 'Set extra.paymentFlow to authorization, upfront or escrow.',
    reference: { source: 'V2_CLIENT', clause: 'selectPaymentRequirements' },
    check: checkEachV2Option(checkPaymentFlow),
  },
  {
    id: 'v2-svm-fee-payer',
    level: ['payable', 'error'],
    requirement: 'Every option on Solana names the account that pays the fees.',
    fix: 'Set extra.feePayer to the Solana address of the facilitator that sponsors the transaction.',
    reference: { source: 'EXACT_SVM', clause: 'PaymentRequirements' },
    check: checkEachV2Option(checkFeePayer),
  },
];

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

function toComparableOption(fields: EntryFields): ComparableOption | null {
  const { scheme, network, asset, payTo, amount } = fields;
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
function getEffectiveTransferMethod(fields: EntryFields): unknown {
  return isPaidByEip3009(fields) ? 'eip3009' : getTransferMethod(fields);
}

/**
 * Returns the payment flow of an option, or else the default flow of its scheme. Source: x402 v2 specification, 6.1;
 * x402 auth-capture scheme on EVM, `extra`.
 */
function getPaymentFlow({ scheme, extra }: EntryFields): unknown {
  return extra?.paymentFlow ?? (scheme === 'auth-capture' ? 'escrow' : 'authorization');
}

function selectComparableOptions({ entries }: Envelope): ComparableOption[] {
  return entries.flatMap((entry) => (entry && toComparableOption(entry.fields)) ?? []);
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
    message: `${String(rivals.length)} options for ${method} differ only in payTo or amount, so it is unclear which one applies.`,
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
export function isCoherent(prices: readonly bigint[]): boolean {
  const [first = 0n, ...others] = prices;
  const lowest = others.reduce((low, price) => (price < low ? price : low), first);
  return prices.every((price) => price * 100n <= lowest * MAX_PRICE_PERCENT);
}

/** Rules that compare the version 2 options with each other. */
export const V2_OPTION_LIST_RULES: readonly Rule[] = [
  {
    id: 'v2-accepts-unambiguous',
    level: ['payable', 'error'],
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
