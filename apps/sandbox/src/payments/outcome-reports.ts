import type { Hex } from 'viem';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import type { Buyer } from './buyer.ts';
import type { LedgerEntry } from './ledger.ts';

/** Payment of an agent, and the status of the response; null without a response. */
export interface ObservedPayment {
  readonly entry: LedgerEntry;
  readonly httpStatus: number | null;
}

interface PendingReport extends ObservedPayment {
  readonly attempts: number;
  /** Simulated time of the next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** Reports of agents to the service about what they got for their payments. */
export interface OutcomeReports {
  /** Records payments. Only payments to endpoints that deliver to testers only are reported. */
  readonly record: (payments: readonly ObservedPayment[]) => void;
  /** Sends the reports that are due at a simulated time, in milliseconds since 1970. Never throws. */
  readonly sendDue: (at: number) => Promise<void>;
}

interface OutcomeReportsOptions {
  readonly endpoints: readonly SimulatedEndpoint[];
  /** Finds a buyer by its address; undefined if no agent has the address. */
  readonly findBuyer: (address: Hex) => Pick<Buyer, 'signTypedData'> | undefined;
  /** URL of the service; null to send nothing. */
  readonly serviceUrl: string | null;
  readonly fetch?: typeof globalThis.fetch;
}

const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 5_000;
const TIMEOUT_MS = 10_000;
const ZERO_WORD = `0x${'0'.repeat(64)}`;
/** Members of the signed message and their EIP-712 types, as the API documentation of the service lists them. */
const MEMBERS = [
  ['service', 'string'],
  ['resource', 'string'],
  ['network', 'string'],
  ['payer', 'address'],
  ['nonce', 'bytes32'],
  ['transaction', 'bytes32'],
  ['delivered', 'bool'],
  ['httpStatus', 'uint16'],
  ['bodySha256', 'bytes32'],
  ['observedAt', 'string'],
] as const;

/** Creates the typed data (EIP-712) of a report. Zero stands for a missing value. */
function createTypedData(service: string, report: ReturnType<typeof createReport>) {
  return {
    domain: { name: 'Touchstone outcome', version: '1' },
    types: { Outcome: MEMBERS.map(([name, type]) => ({ name, type })) },
    primaryType: 'Outcome',
    message: {
      ...{ service, resource: report.resource, network: report.network, payer: report.payer },
      ...{ nonce: report.nonce, transaction: ZERO_WORD, delivered: report.delivered },
      ...{ httpStatus: report.http_status ?? 0, bodySha256: ZERO_WORD, observedAt: report.observed_at },
    },
  };
}

function createReport(resource: string, { entry, httpStatus }: ObservedPayment) {
  return {
    resource,
    network: entry.network,
    payer: entry.payer.toLowerCase(),
    nonce: entry.nonce.toLowerCase(),
    delivered: httpStatus !== null && httpStatus >= 200 && httpStatus < 300,
    http_status: httpStatus,
    body_sha256: null,
    observed_at: new Date(entry.at).toISOString(),
  };
}

/**
 * Creates the reports of the agents. Only the latest payment of each payer is reported, because the service counts
 * payers. A failed attempt is repeated after a growing delay, at most seven times.
 */
export function createOutcomeReports({
  endpoints,
  findBuyer,
  serviceUrl,
  fetch = globalThis.fetch,
}: OutcomeReportsOptions): OutcomeReports {
  const resources = new Map(
    endpoints
      .filter(({ definition }) => definition.fulfilment === 'testers-only')
      .map(({ definition }) => [definition.name, definition.url] as const),
  );
  const pending = new Map<string, PendingReport>();

  const send = async (service: URL, resource: string, payment: PendingReport): Promise<boolean> => {
    const report = createReport(resource, payment);
    // The cast is necessary because `signTypedData` of viem infers its argument from constants.
    const typedData = createTypedData(service.origin, report) as never;
    const signature = await findBuyer(payment.entry.payer)?.signTypedData(typedData);
    const response = await fetch(new URL('/v1/outcomes', service), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...report, signature }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The service would log a response that is not read as aborted.
    await response.text();
    return response.ok;
  };

  return {
    record: (payments) => {
      for (const payment of payments)
        if (serviceUrl !== null && resources.has(payment.entry.endpoint))
          pending.set(payment.entry.payer, { ...payment, attempts: 0, dueAt: 0 });
    },
    sendDue: async (at) => {
      if (serviceUrl === null) return;
      const due = [...pending].filter(([, { dueAt }]) => dueAt <= at);
      for (const [payer, payment] of due) {
        const resource = resources.get(payment.entry.endpoint) ?? '';
        const isSent = await send(new URL(serviceUrl), resource, payment).catch(() => false);
        const attempts = payment.attempts + 1;
        if (isSent || attempts >= MAX_ATTEMPTS) pending.delete(payer);
        else pending.set(payer, { ...payment, attempts, dueAt: at + FIRST_DELAY_MS * 2 ** payment.attempts });
      }
    },
  };
}
