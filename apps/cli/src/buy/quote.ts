import { x402Client, x402HTTPClient } from '@x402/fetch';
import { canonicalUsdc } from '@touchstone/x402';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import { plain } from '../plain.ts';
import type { Answer } from './exchange.ts';
import { usdWords } from './usd.ts';

/** The longest that a signature may stay good, in seconds: whoever holds it can have it settled for that long. */
const LONGEST_SECONDS = 3_600;

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

/** What the buyer is ready to pay for. */
export interface Expected {
  /** Address of the operation that is to be paid. */
  readonly url: URL;
  /** CAIP-2 id of the only network to pay on. */
  readonly network: string;
  /** The most to pay, in atomic units of USDC. */
  readonly limit: bigint;
}

/** A price that was asked, found in order. Texts of the service are as it wrote them. */
export interface Quote {
  /** Atomic units of USDC. */
  readonly amount: bigint;
  readonly network: string;
  readonly asset: string;
  readonly payTo: string;
  readonly resource: string;
  readonly serviceName: string | null;
  readonly description: string | null;
  /** Seconds for which a signature for it is good. */
  readonly seconds: number;
  /** The terms word for word, as they will be signed. */
  readonly accepted: Offer;
}

const decoder = new x402HTTPClient(new x402Client());

/**
 * Reads the price of a 402 answer, and refuses what nobody should sign. Of several ways to pay the cheapest good one is
 * taken.
 *
 * @throws CliError saying what is wrong with it
 */
export function readQuote({ headers }: Pick<Answer, 'headers'>, expected: Expected): Quote {
  const challenge = readChallenge(headers);
  const { resource, accepts } = challenge;
  if (URL.parse(resource.url)?.href !== expected.url.href) {
    throw refusal(`it asks to be paid for ${plain(resource.url, 200)}, not for ${expected.url.href}`);
  }
  const judged = accepts.map((offer) => ({ offer, fault: faultOf(offer, expected) }));
  const [best] = judged
    .filter(({ fault }) => fault === null)
    .map(({ offer }) => offer)
    .toSorted((a, b) => (BigInt(a.amount) < BigInt(b.amount) ? -1 : 1));
  if (best === undefined) {
    const faults = [...new Set(judged.map(({ fault }) => fault ?? ''))].slice(0, 3);
    throw refusal(faults.join('; and '));
  }
  return {
    amount: BigInt(best.amount),
    network: best.network,
    asset: best.asset,
    payTo: best.payTo,
    resource: resource.url,
    serviceName: resource.serviceName ?? null,
    description: resource.description ?? null,
    seconds: best.maxTimeoutSeconds,
    accepted: best,
  };
}

/** Why an answer asks to be paid, such as what was wrong with a payment; null where it does not say. */
export function reasonOf({ headers }: Pick<Answer, 'headers'>): string | null {
  try {
    return readChallenge(headers).error ?? null;
  } catch {
    return null;
  }
}

function readChallenge(headers: Headers): Challenge {
  let decoded: unknown;
  try {
    decoded = decoder.getPaymentRequiredResponse((name) => headers.get(name));
  } catch {
    throw refusal('its PAYMENT-REQUIRED header is missing or cannot be read');
  }
  const parsed = challengeSchema.safeParse(decoded);
  if (!parsed.success) throw refusal('its terms are not those of x402 version 2');
  return parsed.data;
}

function refusal(reason: string): CliError {
  return new CliError(`The quote is refused: ${reason}. Nothing was signed or charged.`);
}

/** Why an offer is not to be signed, or null. */
function faultOf(offer: Offer, expected: Expected): string | null {
  return termsFault(offer, expected) ?? tokenFault(offer) ?? priceFault(offer, expected);
}

function termsFault(offer: Offer, { network }: Expected): string | null {
  const { scheme, payTo, maxTimeoutSeconds, extra } = offer;
  if (offer.network !== network)
    return `it asks to be paid on ${plain(offer.network, 60)}, not on ${network}`;
  if (scheme !== 'exact')
    return `it asks for the payment scheme ${plain(scheme, 60)}, not for an exact price`;
  const { assetTransferMethod = 'eip3009', paymentFlow = 'authorization' } = extra ?? {};
  if (assetTransferMethod !== 'eip3009')
    return `it asks for a signature of ${plain(assetTransferMethod, 60)}, not for one transfer of this amount`;
  if (paymentFlow !== 'authorization') return 'it wants its money before it has done the work';
  if (!/^0x[0-9a-f]{40}$/i.test(payTo) || /^0x0{40}$/i.test(payTo))
    return `it wants to be paid at ${plain(payTo, 60)}, which is no wallet`;
  if (!Number.isInteger(maxTimeoutSeconds) || maxTimeoutSeconds < 1 || maxTimeoutSeconds > LONGEST_SECONDS)
    return `a signature for it would be good for ${maxTimeoutSeconds} seconds, where an hour is the most`;
  return null;
}

/** A token of another address can call itself what it likes; one of the right address under a wrong name gets nothing. */
function tokenFault({ network, asset, extra }: Offer): string | null {
  const usdc = canonicalUsdc(network);
  if (asset.toLowerCase() !== usdc?.asset.toLowerCase())
    return `it asks for ${plain(asset, 60)}, which is not the USDC of ${network}`;
  if (extra?.name !== usdc.domain?.name || extra?.version !== usdc.domain?.version)
    return 'the token is named wrongly in it, so that a signature would be good for nothing';
  return null;
}

function priceFault({ amount }: Offer, { limit }: Expected): string | null {
  if (!/^\d{1,78}$/.test(amount)) return `its price, ${plain(amount, 60)}, is no whole number`;
  if (BigInt(amount) <= limit) return null;
  return `it costs ${usdWords(BigInt(amount))}, more than the limit of ${usdWords(limit)}, which --max-usd sets`;
}
