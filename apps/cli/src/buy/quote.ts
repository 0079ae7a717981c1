import { findCanonicalUsdc, MAX_TIMEOUT_SECONDS } from '@touchstone/x402';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { z } from 'zod';
import { CliError, type CliErrorCode } from '../command-tools.ts';
import type { ServiceResponse } from '../service/request.ts';
import { formatUsdc, toPlainText } from '../terminal/text.ts';
import type { Order } from './order.ts';

const offerSchema = z.looseObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z
    .looseObject({
      name: z.string().optional(),
      version: z.string().optional(),
      assetTransferMethod: z.string().optional(),
      paymentFlow: z.string().optional(),
    })
    .optional(),
});
const challengeSchema = z.looseObject({
  x402Version: z.literal(2),
  error: z.string().optional(),
  resource: z.looseObject({
    url: z.string(),
    description: z.string().optional(),
    serviceName: z.string().optional(),
  }),
  accepts: z.array(offerSchema).min(1).max(100),
});
type Challenge = z.infer<typeof challengeSchema>;
type Offer = Challenge['accepts'][number];

/** Conditions that a quote must meet. */
export interface ExpectedTerms {
  /** URL of the operation to buy, without the query. */
  readonly url: URL;
  /** CAIP-2 ids of the networks on which the wallet may pay. */
  readonly networks: readonly string[];
  /** Maximum price, in atomic units of USDC. */
  readonly limit: bigint;
  /** Text for messages that names the setting with the limit; `--max-usd` by default. */
  readonly limitSource?: string;
}

/** A valid quote of a service. The texts of a quote are untrusted and may contain control characters. */
export interface Quote {
  /** Price in atomic units of USDC. */
  readonly amount: bigint;
  /** Payment option to sign, exactly as received. */
  readonly accepted: Offer;
  readonly resource: Challenge['resource'];
}

/** Maximum amount of a token transfer, in atomic units. */
const MAX_AMOUNT = 2n ** 256n - 1n;

const decoder = new x402HTTPClient(new x402Client());

/**
 * Reads the quote of a 402 response. Rejects payment terms that are unsafe to sign, and returns the cheapest of the
 * remaining payment options.
 *
 * @throws CliError with the reason of the rejection
 */
export function readQuote({ headers }: Pick<ServiceResponse, 'headers'>, expected: ExpectedTerms): Quote {
  const challenge = parseChallengeHeader(headers);
  const { resource, accepts } = challenge;
  if (URL.parse(resource.url)?.href !== expected.url.href) {
    throw createRefusal(`it is for ${toPlainText(resource.url, 200)}; expected ${expected.url.href}`);
  }
  const checked = accepts.map((offer) => ({ offer, fault: findFault(offer, expected) }));
  const [cheapest] = checked
    .filter(({ fault }) => fault === null)
    .map(({ offer }) => offer)
    .toSorted((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? -1 : 1));
  if (cheapest === undefined) {
    const faults = [...new Set(checked.map(({ fault }) => fault ?? ''))].slice(0, 3);
    throw createRefusal(faults.join('; '), classifyRefusal(accepts, expected));
  }
  return { amount: BigInt(cheapest.amount), accepted: cheapest, resource };
}

/**
 * Returns the `error` member of a challenge, in which the service gives the reason why it refused a payment. Returns
 * null if there is no such member.
 */
export function readRefusalCode({ headers }: Pick<ServiceResponse, 'headers'>): string | null {
  try {
    return parseChallengeHeader(headers).error ?? null;
  } catch {
    return null;
  }
}

/** Reads the challenge of a 402 response. @throws CliError for a response that is not a challenge of x402 version 2 */
export function parseChallengeHeader(headers: Headers): Challenge {
  let decoded: unknown;
  try {
    decoded = decoder.getPaymentRequiredResponse((name) => headers.get(name));
  } catch {
    throw createRefusal('its PAYMENT-REQUIRED header is missing or cannot be read');
  }
  const parsed = challengeSchema.safeParse(decoded);
  if (!parsed.success) throw createRefusal('its payment terms are not valid for x402 version 2');
  return parsed.data;
}

function createRefusal(reason: string, code: CliErrorCode = 'quote-rejected'): CliError {
  return new CliError(`The quote is rejected: ${reason}. Nothing was signed or charged.`, {
    code,
    notCharged: true,
  });
}

/** Returns the error code for a quote that has no valid payment option. */
function classifyRefusal(offers: readonly Offer[], expected: ExpectedTerms): CliErrorCode {
  const unlimited = { ...expected, limit: MAX_AMOUNT };
  if (offers.some((offer) => findFault(offer, unlimited) === null)) return 'limit-exceeded';
  const isNetworkAllowed = offers.some(({ network }) => expected.networks.includes(network));
  return isNetworkAllowed ? 'quote-rejected' : 'network-not-allowed';
}

/** Returns the reason why a payment option must not be signed; null for a valid option. */
function findFault(offer: Offer, expected: ExpectedTerms): string | null {
  return findTermsFault(offer, expected) ?? findTokenFault(offer) ?? findPriceFault(offer, expected);
}

function findTermsFault(offer: Offer, { networks }: ExpectedTerms): string | null {
  const { scheme, payTo, maxTimeoutSeconds, extra } = offer;
  if (!networks.includes(offer.network))
    return `its network is ${toPlainText(offer.network, 60)}; expected ${networks.join(' or ')} (--network)`;
  if (scheme !== 'exact') return `its payment scheme is ${toPlainText(scheme, 60)}; expected exact`;
  const { assetTransferMethod = 'eip3009', paymentFlow = 'authorization' } = extra ?? {};
  if (assetTransferMethod !== 'eip3009')
    return `its transfer method is ${toPlainText(assetTransferMethod, 60)}; expected eip3009, which allows only one transfer of the price`;
  if (paymentFlow !== 'authorization') return 'it requires payment before the work is done';
  if (!/^0x[0-9a-f]{40}$/i.test(payTo) || /^0x0{40}$/i.test(payTo))
    return `its payTo, ${toPlainText(payTo, 60)}, is not a wallet address`;
  if (
    !Number.isInteger(maxTimeoutSeconds) ||
    maxTimeoutSeconds < 1 ||
    maxTimeoutSeconds > MAX_TIMEOUT_SECONDS
  )
    return `its signature would be valid for ${maxTimeoutSeconds} seconds; the maximum is ${MAX_TIMEOUT_SECONDS}`;
  return null;
}

/** Checks the address and the EIP-712 domain of the token. The USDC contract rejects signatures for another domain. */
function findTokenFault({ network, asset, extra }: Offer): string | null {
  const usdc = findCanonicalUsdc(network);
  if (asset.toLowerCase() !== usdc?.asset.toLowerCase())
    return `its token, ${toPlainText(asset, 60)}, is not the USDC of ${network}`;
  if (extra?.name !== usdc.domain?.name || extra?.version !== usdc.domain?.version)
    return 'its EIP-712 name or version of the token is wrong, so the token contract would reject the signature';
  return null;
}

function findPriceFault({ amount }: Offer, { limit, limitSource }: ExpectedTerms): string | null {
  if (!/^\d{1,78}$/.test(amount))
    return `its amount, ${toPlainText(amount, 60)}, is not a whole number of atomic units`;
  if (BigInt(amount) <= limit) return null;
  return `its price of ${formatUsdc(BigInt(amount))} is above the limit of ${formatUsdc(limit)} (${limitSource ?? '--max-usd'})`;
}

/** Facts about the buyer that are shown with the quote. */
interface Buyer {
  readonly payer: string;
  /** Maximum price, in atomic units of USDC. */
  readonly limit: bigint;
  readonly isSandbox: boolean;
}

/** Formats the quote that is shown before anything is signed. */
export function formatQuote(quote: Quote, order: Order, { payer, limit, isSandbox }: Buyer): string[] {
  const { amount, accepted, resource } = quote;
  const { network, asset, payTo } = accepted;
  const texts = [resource.serviceName, resource.description].flatMap((text) =>
    text ? [toPlainText(text, 120)] : [],
  );
  const rows: readonly (readonly [string, string])[] = [
    ['For', toPlainText(order.description, 300)],
    ['Price', `${formatUsdc(amount)} (${String(amount)} atomic units), limit ${formatUsdc(limit)}`],
    ['Token', `USDC, ${asset}`],
    [
      'Network',
      isSandbox
        ? `local chain of the sandbox (it uses the id of Base, ${network}; no real money moves)`
        : network,
    ],
    ['To', payTo],
    ['From', isSandbox ? `${payer}, the demo wallet of the sandbox with made-up dollars` : payer],
    ...(texts.length === 0 ? [] : [['Service', texts.join(': ')] as const]),
  ];
  return [`Quote from ${order.url.origin}`, ...rows.map(([label, value]) => `  ${label.padEnd(8)}${value}`)];
}
