import { DAY_MS, formatTimestamp, HOUR_MS, MINUTE_MS } from '@touchstone/common';
import {
  ChainUnreadableError,
  isMinedOnDemand,
  type ChainPayment,
  type PaymentStatusQuery,
  type PaymentStatusReading,
  readPaymentStatus,
} from '@touchstone/chain';
import { toSchemaUrl } from '@touchstone/contract';
import {
  DEFAULT_SEARCH_HOURS,
  MAX_SEARCH_DAYS,
  type PaymentStatusRequest,
} from '@touchstone/contract/operations/payment-status/operation';
import {
  MAX_ADVERTISERS,
  MAX_STATUS_PAYMENTS,
  PAYMENT_STATUS_SCHEMA_TYPE,
  PAYMENT_STATUS_SCHEMA_VERSION,
  type PaymentStatus,
} from '@touchstone/contract/operations/payment-status/response';
import { findPaymentAdvertisers } from '@touchstone/store';
import { toDisplayResource } from '@touchstone/trust';
import { findCanonicalUsdc, findToken, formatAtomicUsd, type Token } from '@touchstone/x402';
import { limitProviders, type ChainSource } from '../chain-source.ts';
import type { PipelineContext } from '../context.ts';
import { formatEndpointPage } from '../pages.ts';
import { createInvalid, createOperationProblem, type OperationProblem } from '../problem.ts';
import { describeStatus } from './describe-status.ts';

/** External dependencies of the state of a payment. */
export interface PaymentStatusContext extends Pick<PipelineContext, 'db' | 'now'> {
  readonly baseUrl: string;
  /** Networks whose payments can be read. */
  readonly chains: readonly ChainSource[];
}

/** Reason why the state of a payment was not read. */
export type PaymentStatusProblem = OperationProblem<'chain-unavailable' | 'invalid-request' | 'rate-limited'>;

/** Unsigned state of a payment. `isFinal`: no later block changes the state, except after a reorg. */
export interface PaymentStatusResult {
  readonly kind: 'result';
  readonly body: PaymentStatus;
  readonly isFinal: boolean;
}

/** Causes that stay the same. A search that finds nothing is the longest, so it is not repeated at once. */
const FINAL_CAUSES: readonly PaymentStatus['cause'][] = ['used-before', 'no-payment'];
/** Timeout of all readings of the chain for one request, in milliseconds. */
const CHAIN_TIMEOUT_MS = 15_000;
/** Time before `since` that is searched as well, in milliseconds: the clock of the payer may be ahead of the chain. */
const CLOCK_MARGIN_MS = 15 * MINUTE_MS;

/**
 * Reads what became of a payment from its network, and which endpoints asked for its payTo at that time.
 *
 * @throws StoreError when the database fails
 */
export async function readStatus(
  context: PaymentStatusContext,
  request: PaymentStatusRequest,
): Promise<PaymentStatusResult | PaymentStatusProblem> {
  const source = context.chains.find(({ providers }) => providers.network === request.network);
  if (source === undefined) return createUnread(request.network, context.chains);
  const asset = request.asset ?? findCanonicalUsdc(request.network)?.asset ?? '';
  const token = findToken(request.network, asset);
  if (token === null) return createUnknownToken(request);
  const requested = toRequested(request, token.asset, context.now());
  const since = requested.since === null ? 0 : Date.parse(requested.since);
  if (requested.since !== null && context.now() - since > MAX_SEARCH_DAYS * DAY_MS) return TOO_EARLY;
  const providers = limitProviders(source.providers, AbortSignal.timeout(CHAIN_TIMEOUT_MS));
  try {
    // The last block of such a chain is final, and later blocks follow only with later transactions.
    const confirmations = (await isOnDemand(providers)) ? 0 : source.confirmations;
    const query = { by: toQuery(requested, since), asset: requested.asset, confirmations };
    const reading = await readPaymentStatus(providers, query);
    const payments = await describePayments(context, { token, payments: reading.payments });
    return toResult({ requested, reading, payments }, context);
  } catch (error) {
    if (error instanceof ChainUnreadableError) return createUnreadable(request.network);
    throw error;
  }
}

type Requested = PaymentStatus['requested'];

/** Converts hexadecimal text to lower case. Solana has other text, in which upper and lower case differ. */
export const normalize = (text: string): string => (text.startsWith('0x') ? text.toLowerCase() : text);

function toRequested(
  { network, transaction, payer, nonce, valid_before: validBefore, since }: PaymentStatusRequest,
  asset: string,
  now: number,
): Requested {
  const start = since === undefined ? now - DEFAULT_SEARCH_HOURS * HOUR_MS : Date.parse(since);
  return {
    network,
    asset: normalize(asset),
    transaction: transaction === undefined ? null : normalize(transaction),
    payer: payer === undefined ? null : normalize(payer),
    nonce: nonce === undefined ? null : normalize(nonce),
    validBefore: validBefore === undefined ? null : formatTimestamp(Number(validBefore) * 1_000),
    since: nonce === undefined ? null : formatTimestamp(start),
  };
}

const isOnDemand = async (providers: ChainSource['providers']): Promise<boolean> =>
  providers.network.startsWith('eip155:') && (await isMinedOnDemand(providers));

/** Converts a request whose formats its schema has checked, so the casts are safe. */
function toQuery(
  { transaction, payer, nonce, validBefore }: Requested,
  since: number,
): PaymentStatusQuery['by'] {
  const wallet = payer as `0x${string}` | null;
  if (nonce === null || wallet === null) return { transaction: transaction ?? '', payer };
  return {
    payer: wallet,
    nonce: nonce.startsWith('0x') ? (nonce as `0x${string}`) : BigInt(nonce),
    validBefore: validBefore === null ? null : Date.parse(validBefore),
    since: since - CLOCK_MARGIN_MS,
  };
}

/** Payments on the chain, and the token and network of all of them. */
interface FoundPayments {
  readonly token: Token;
  readonly payments: readonly ChainPayment[];
}

async function describePayments(
  { db, baseUrl }: PaymentStatusContext,
  { token: { network, decimals }, payments }: FoundPayments,
): Promise<PaymentStatus['payments']> {
  return Promise.all(
    payments
      .slice(0, MAX_STATUS_PAYMENTS)
      .map(async ({ transaction, kind, payTo, payer, nonce, amount, asset, at }) => {
        const sought = { network, payTo, amount, at };
        const endpoints = await findPaymentAdvertisers(db, sought, MAX_ADVERTISERS);
        return {
          ...{ transaction, kind, payTo, payer, nonce, amount: amount.toString() },
          ...{ amountUsd: formatAtomicUsd(amount, decimals), asset, at: formatTimestamp(at) },
          endpoints: endpoints.map(({ resource, slug }) => ({
            resource: toDisplayResource(resource),
            endpointPage: formatEndpointPage(slug, baseUrl),
          })),
        };
      }),
  );
}

interface Found {
  readonly requested: Requested;
  readonly reading: PaymentStatusReading;
  readonly payments: PaymentStatus['payments'];
}

function toResult(
  { requested, reading: { state, reason: cause, block }, payments }: Found,
  { baseUrl, now }: PaymentStatusContext,
): PaymentStatusResult {
  const facts = { state, cause, requested, payments };
  return {
    kind: 'result',
    body: {
      $schema: toSchemaUrl(PAYMENT_STATUS_SCHEMA_TYPE, baseUrl),
      schemaVersion: PAYMENT_STATUS_SCHEMA_VERSION,
      schemaType: PAYMENT_STATUS_SCHEMA_TYPE,
      generatedAt: formatTimestamp(now()),
      ...facts,
      block: block?.block ?? null,
      blockTime: block && formatTimestamp(block.at),
      confirmations: block?.confirmations ?? null,
      openUntil: state === 'open' ? requested.validBefore : null,
      safeToPayAgain: state === 'expired' || state === 'cancelled',
      reason: describeStatus(facts),
      signature: null,
    },
    isFinal:
      ['expired', 'cancelled'].includes(state) ||
      (state === 'settled' && cause === 'confirmed') ||
      FINAL_CAUSES.includes(cause),
  };
}

function createUnread(network: string, chains: readonly ChainSource[]): PaymentStatusProblem {
  const networks = chains
    .map((chain) => chain.providers.network)
    .filter((each) => findCanonicalUsdc(each) !== null);
  const read = networks.length === 0 ? 'no network' : networks.join(', ');
  return createInvalid(
    'network',
    `This service does not read ${network}. It reads ${read}. Give the network of the payment, or ask an RPC provider of ${network}.`,
  );
}

function createUnknownToken({ network, asset = 'none' }: PaymentStatusRequest): PaymentStatusProblem {
  const usdc = findCanonicalUsdc(network);
  return createInvalid(
    'asset',
    `\`asset\` must be a dollar token that this service knows on ${network}${usdc === null ? '' : `, such as USDC (${usdc.asset})`}; received ${asset}.`,
  );
}

const TOO_EARLY = createInvalid(
  'since',
  `\`since\` must be at most ${MAX_SEARCH_DAYS} days ago. Name an older payment by its \`transaction\`.`,
);

function createUnreadable(network: string): PaymentStatusProblem {
  return createOperationProblem(
    'chain-unavailable',
    `${network} could not be read within ${CHAIN_TIMEOUT_MS / 1_000} seconds, so nothing is known of the payment. Do not pay again yet: send the same request again in a minute. A later \`since\`, or the \`transaction\`, makes the search shorter.`,
  );
}
