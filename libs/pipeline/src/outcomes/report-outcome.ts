import { DAY_MS, MINUTE_MS } from '@touchstone/common';
import { canonicalize } from '@touchstone/catalog';
import { ChainUnreadableError, verifyTypedData } from '@touchstone/chain';
import { createOutcomeTypedData } from '@touchstone/contract/operations/outcome/outcome-message';
import {
  MAX_PAYMENT_AGE_DAYS,
  type Outcome,
  type OutcomeRequest,
} from '@touchstone/contract/operations/outcome/operation';
import {
  findOutcomeSubject,
  recordBuyerOutcome,
  type PaidOutcome,
  type RecordedOutcome,
} from '@touchstone/store';
import { findCanonicalUsdc } from '@touchstone/x402';
import { limitProviders, type ChainSource } from '../chain-source.ts';
import { formatEndpointPage } from '../pages.ts';
import { createInvalid, createInvalidUrl, createOperationProblem } from '../problem.ts';
import { describeUnknown } from '../reports/find-related.ts';
import { findPayment, toNamedPayment, type PaymentSearch } from './find-payment.ts';
import type { OutcomeContext, OutcomeProblem } from './outcome-context.ts';

/** Maximum time by which the clock of the payer may be ahead, in milliseconds. */
const MAX_AHEAD_MS = MINUTE_MS;
/** Timeout of all readings of the chain for one outcome, in milliseconds. */
const CHAIN_TIMEOUT_MS = 15_000;

/**
 * Stores what a payer got for a payment, after checks in the order of their cost: the signature of the payer, the
 * payment on the chain, and the payment terms of the endpoint at the time of the payment.
 *
 * @throws StoreError when the database fails
 */
export async function reportOutcome(
  context: OutcomeContext,
  request: OutcomeRequest,
): Promise<{ readonly kind: 'result'; readonly body: Outcome } | OutcomeProblem> {
  const { db, now: getNow } = context;
  const canonical = canonicalize(request.resource);
  if (!canonical.ok) return createInvalidUrl(canonical.reason);
  const now = getNow();
  const late = findTimeProblem(request.observed_at, now);
  if (late !== null) return late;
  const named = toNamedPayment(request);
  const subject = await findOutcomeSubject(db, canonical.id, named);
  if (subject === null) {
    const detail = await describeUnknown(context, canonical.resource, ADVICE);
    return createOperationProblem('unknown-resource', detail);
  }
  if (subject.removed) return REMOVED;
  const chains = context.chains.filter(({ providers }) => isReadable(providers.network));
  const source = chains.find(({ providers }) => providers.network === request.network);
  if (source === undefined) return createUnread(request.network, chains);
  const signal = AbortSignal.timeout(CHAIN_TIMEOUT_MS);
  const chain = { ...source, providers: limitProviders(source.providers, signal) };
  const payment = await findSignedPayment(context, { request, named, stored: subject.payments }, chain);
  if ('kind' in payment) return payment;
  const recorded = await recordBuyerOutcome(db, toOutcome(request, canonical.id, payment), now);
  if (recorded === null) return REMOVED;
  const endpoint = {
    resource: canonical.resource,
    endpoint_page: formatEndpointPage(subject.slug, context.baseUrl),
  };
  return { kind: 'result', body: toBody(endpoint, payment, recorded) };
}

const ADVICE = 'Only outcomes of payments for endpoints of the catalog are stored.';
const REMOVED = createOperationProblem(
  'unknown-resource',
  'This endpoint was removed from the catalog on request, so it stores no outcomes.',
);

/** Returns the problem of a time of the future or before the oldest payment; null for a valid time. */
function findTimeProblem(observedAt: string, now: number): OutcomeProblem | null {
  const age = now - Date.parse(observedAt);
  if (age >= -MAX_AHEAD_MS && age <= MAX_PAYMENT_AGE_DAYS * DAY_MS) return null;
  const found = age < 0 ? 'in the future' : `more than ${MAX_PAYMENT_AGE_DAYS} days ago`;
  return createInvalid(
    'observed_at',
    `\`observed_at\` must be the time of the response, in the last ${MAX_PAYMENT_AGE_DAYS} days; received ${observedAt}, which is ${found}.`,
  );
}

/** Returns true for an EVM network whose USDC is known. */
const isReadable = (network: string) => network.startsWith('eip155:') && findCanonicalUsdc(network) !== null;

function createUnread(network: string, chains: readonly ChainSource[]): OutcomeProblem {
  const networks = chains.map(({ providers }) => providers.network);
  const read = networks.length === 0 ? 'no network' : networks.join(', ');
  return createOperationProblem(
    'chain-unavailable',
    `This service does not read ${network}, so it cannot check the payment. It reads ${read}. Report payments on these networks.`,
  );
}

/** Checks the signature of a request, and then finds its payment. */
async function findSignedPayment(
  context: OutcomeContext,
  search: PaymentSearch,
  chain: ChainSource,
): Promise<PaidOutcome | OutcomeProblem> {
  const { request } = search;
  const typedData = createTypedData(context.baseUrl, request);
  // The schema of the request has checked the formats, so the casts are safe.
  const [wallet, signature] = [request.payer, request.signature] as [`0x${string}`, `0x${string}`];
  try {
    if (!(await verifyTypedData({ wallet, typedData, signature }, [chain.providers]))) {
      return createInvalid(
        'signature',
        `The payer did not sign this outcome. Neither its key nor its contract accepts the signature. Sign exactly this typed data (EIP-712): ${JSON.stringify(typedData)}`,
      );
    }
    return await findPayment(context, search, chain);
  } catch (error) {
    if (error instanceof ChainUnreadableError) return CHAIN_UNREADABLE;
    throw error;
  }
}

const CHAIN_UNREADABLE = createOperationProblem(
  'chain-unavailable',
  'The network of the payment cannot be read now, so the outcome was not stored. Send the same request again in a minute.',
);

/** Returns the typed data that the payer signs for a request. */
function createTypedData(baseUrl: string, request: Omit<OutcomeRequest, 'signature'>) {
  return createOutcomeTypedData({
    origin: new URL(baseUrl).origin,
    resource: request.resource,
    network: request.network,
    payer: request.payer,
    nonce: request.nonce ?? null,
    transaction: request.transaction ?? null,
    delivered: request.delivered,
    httpStatus: request.http_status,
    bodySha256: request.body_sha256,
    observedAt: request.observed_at,
  });
}

function toOutcome(request: OutcomeRequest, endpointId: string, payment: PaidOutcome) {
  return {
    ...payment,
    endpointId,
    network: request.network,
    payer: request.payer.toLowerCase(),
    delivered: request.delivered,
    httpStatus: request.http_status,
    bodySha256: request.body_sha256,
    observedAt: request.observed_at,
    signature: request.signature,
  };
}

function toBody(
  endpoint: Pick<Outcome, 'resource' | 'endpoint_page'>,
  { transaction, amount, payTo, paidAt }: PaidOutcome,
  { reason, outcome, buyers }: RecordedOutcome,
): Outcome {
  return {
    counted: reason === null,
    reason,
    ...endpoint,
    ...{ transaction, amount, pay_to: payTo, paid_at: paidAt },
    outcome: {
      delivered: outcome.delivered,
      http_status: outcome.httpStatus,
      body_sha256: outcome.bodySha256,
      observed_at: outcome.observedAt,
    },
    buyers,
  };
}
