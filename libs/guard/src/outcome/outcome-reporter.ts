import { createOutcomeTypedData } from '@touchstone/contract/operations/outcome/outcome-message';
import { fetchJson } from '../statement/fetch-json.ts';
import { isSellerFailure, type PaymentOutcome } from './outcome.ts';
import { removeOldest } from '../remove-oldest.ts';
import { startTimer } from '../timer.ts';

/** Typed data (EIP-712) of an outcome, as `signTypedData` of viem takes it. */
interface OutcomeTypedData {
  readonly domain: { readonly name: string; readonly version: string };
  readonly types: { readonly Outcome: readonly { readonly name: string; readonly type: string }[] };
  readonly primaryType: 'Outcome';
  readonly message: Readonly<Record<string, unknown>>;
}

/** Signer of outcomes: the wallet that pays, such as an account of viem. */
export interface OutcomeSigner {
  /** Address of the wallet, with which the guard notices that another wallet pays. */
  readonly address?: string;
  /** Signs typed data (EIP-712) with the key of the payer, and returns the signature in hex. */
  readonly signTypedData: (data: OutcomeTypedData) => Promise<string>;
}

interface ReporterOptions extends Pick<OutcomeSigner, 'signTypedData'> {
  readonly service: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Times from a response to the attempts to send its outcome, in milliseconds; default after one and five minutes. */
  readonly delaysMs?: readonly number[];
  /** Function that receives each outcome that the service accepted. */
  readonly onAccepted?: (outcome: PaymentOutcome) => void;
  /** Function that receives the reason why an attempt failed. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * Times from a response to the attempts to send its outcome, in milliseconds. The service accepts a payment only after
 * its confirmations, which take about half a minute on Base and two minutes on Polygon.
 */
const DELAYS_MS = [60_000, 300_000];
/** Maximum number of outcomes that wait to be sent. Further outcomes are not sent. */
const MAX_PENDING = 100;
/** Time after which the same result of the same endpoint is sent again, in milliseconds: a day. */
const REPEAT_MS = 86_400_000;
/** Maximum number of endpoints whose latest result is remembered. */
const MAX_REMEMBERED = 1_000;
/** Maximum size of a response of the service, in bytes. */
const MAX_RESPONSE_BYTES = 65_536;

interface Pending {
  readonly outcome: PaymentOutcome;
  readonly resource: string;
  readonly body: () => Promise<string>;
  attempts: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Sends signed outcomes of payments to the service. No failure reaches the paid request. */
export class OutcomeReporter {
  readonly #options: ReporterOptions;
  readonly #pending = new Set<Pending>();
  readonly #latest = new Map<string, { readonly delivered: boolean; readonly at: number }>();

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /**
   * Sends an outcome later, unless the service cannot count it, the seller may have no fault, or it repeats the latest
   * result of the endpoint.
   *
   * @returns true if the outcome waits to be sent
   */
  add(outcome: PaymentOutcome): boolean {
    const { authorization, resource, payment } = outcome;
    if (authorization === null || resource === null || !isCertain(outcome)) return false;
    if (!payment.network.startsWith('eip155:') || this.#pending.size >= MAX_PENDING) return false;
    if (!this.#isNew(resource, outcome.delivered === true)) return false;
    let signing: Promise<string> | undefined;
    const values = { outcome, authorization, resource };
    // A wallet may ask its user for each signature, so each outcome is signed once.
    const pending: Pending = {
      ...{ outcome, resource, attempts: 0, timer: undefined },
      body: () => (signing ??= createBody(values, this.#options)),
    };
    this.#pending.add(pending);
    this.#schedule(pending);
    return true;
  }

  /** Sends all waiting outcomes now. Returns the number of outcomes that still wait. */
  async flush(): Promise<number> {
    await Promise.all([...this.#pending].map((pending) => this.#send(pending)));
    return this.#pending.size;
  }

  #isNew(resource: string, delivered: boolean): boolean {
    const at = this.#options.now();
    const latest = this.#latest.get(resource);
    if (latest?.delivered === delivered && at - latest.at < REPEAT_MS) return false;
    this.#latest.delete(resource);
    this.#latest.set(resource, { delivered, at });
    removeOldest(this.#latest, MAX_REMEMBERED);
    return true;
  }

  #schedule(pending: Pending): void {
    const { delaysMs = DELAYS_MS } = this.#options;
    const delay = delaysMs[pending.attempts];
    if (delay === undefined) {
      this.#drop(pending);
      return;
    }
    const elapsed = this.#options.now() - Date.parse(pending.outcome.observedAt);
    pending.timer = startTimer(() => void this.#send(pending), Math.max(0, delay - elapsed));
  }

  async #send(pending: Pending): Promise<void> {
    clearTimeout(pending.timer);
    pending.attempts += 1;
    const { service, fetch, timeoutMs } = this.#options;
    try {
      const url = new URL('/v1/outcomes', service);
      const body = await pending.body();
      const result = await fetchJson({ fetch, url, body, timeoutMs, maxBytes: MAX_RESPONSE_BYTES });
      // The service does not know the payment yet, or cannot be reached. An invalid request stays invalid.
      if (!('problem' in result)) {
        this.#pending.delete(pending);
        this.#options.onAccepted?.(pending.outcome);
        return;
      }
      this.#options.onProblem?.(result.problem);
      if (result.isInvalid === true) this.#drop(pending);
      else this.#schedule(pending);
    } catch {
      // The signer failed.
      this.#drop(pending);
    }
  }

  /** Drops an outcome that the service did not accept, so that the next outcome of its endpoint repeats nothing. */
  #drop(pending: Pending): void {
    this.#pending.delete(pending);
    this.#latest.delete(pending.resource);
  }
}

/**
 * Returns true for a delivery, and for a failure whose cause is the seller. Without a status, nothing is certain: a
 * missing response can have its cause in the connection or in the timeout of the program.
 */
function isCertain({ delivered, httpStatus }: PaymentOutcome): boolean {
  return httpStatus !== null && (delivered === true || isSellerFailure(httpStatus));
}

interface ReportedValues {
  readonly outcome: PaymentOutcome;
  readonly authorization: NonNullable<PaymentOutcome['authorization']>;
  readonly resource: string;
}

/** Creates the signed body of a request to the service. */
async function createBody(
  { outcome, authorization: { payer, nonce }, resource }: ReportedValues,
  { service, signTypedData }: ReporterOptions,
): Promise<string> {
  const { delivered, httpStatus, observedAt, payment } = outcome;
  const named = { resource, network: payment.network, payer, nonce };
  const observed = { delivered: delivered === true, httpStatus, bodySha256: null, observedAt };
  const signature = await signTypedData(
    createOutcomeTypedData({ origin: service.origin, ...named, transaction: null, ...observed }),
  );
  return JSON.stringify({
    ...named,
    ...{ delivered: observed.delivered, http_status: httpStatus, body_sha256: null },
    ...{ observed_at: observedAt, signature },
  });
}
