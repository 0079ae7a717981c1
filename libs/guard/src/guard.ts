import { readMember, readText } from '@touchstone/x402/json';
import { readLimit } from './decimal.ts';
import { decide } from './decision/decide.ts';
import { decideWithLookup, type LookupSettings } from './decision/decide-with-lookup.ts';
import { type Decision, formatRefusal } from './decision/decision.ts';
import { type Policy, toPolicy, type PolicyOptions } from './decision/policy.ts';
import type { Journal } from './ledger/journal.ts';
import { createMemoryJournal } from './ledger/memory-journal.ts';
import { readSpending, type Spending } from './ledger/spending.ts';
import { addOffer } from './offers/judge-offer.ts';
import type { VerifyOffer } from './offers/offers.ts';
import { createOutcome, type PaymentOutcome, type ResponseFacts } from './outcome/outcome.ts';
import { OutcomeReporter, type OutcomeSigner } from './outcome/outcome-reporter.ts';
import type { ProposedPayment } from './payment-terms.ts';
import {
  type Authorization,
  type AuthorizeRequest,
  createManualGate,
  type RecordedResponse,
} from './payment/authorization.ts';
import { readOffer } from './payment/challenge.ts';
import { PaymentBook, type AllowedPayment } from './payment/payment-book.ts';
import { PaymentGate } from './payment/payment-gate.ts';
import { type AxiosLike, createAxiosWrapper, createFetchWrapper } from './payment/wrap-clients.ts';
import { readKeys, toServiceUrl, type PublicKeyJwk } from './statement/keys.ts';
import { Lookups } from './statement/lookup.ts';

export interface GuardOptions {
  /**
   * URL of the Touchstone service, for example `https://touchstone.example`. The guard uses only the origin of the URL.
   */
  readonly service: string;
  /** Pinned public keys of the service. The guard refuses statements with a signature of any other key. */
  readonly keys: readonly PublicKeyJwk[];
  readonly policy?: PolicyOptions | undefined;
  /**
   * Journal of payments, from which the guard knows budgets and repeated requests; default a journal in memory. Guards and
   * processes with the same journal share their budgets.
   */
  readonly journal?: Journal | undefined;
  /** Function of `@touchstone/guard/offers` that verifies signed offers; by default, `policy.offers` has no effect. */
  readonly verifyOffer?: VerifyOffer | undefined;
  /**
   * Purchase of the paid report for payments above a price, unless the free summary already refuses the payment.
   * `fetch` pays with x402 and must not be wrapped by this guard. If the report cannot be bought, `policy.unreachable`
   * applies.
   */
  readonly report?: { readonly aboveUsd: number; readonly fetch: typeof globalThis.fetch } | undefined;
  /** Function that receives every decision. An error of this function stops the payment. */
  readonly onDecision?: ((decision: Decision) => void) | undefined;
  /**
   * Function that receives the outcome of every payment that `wrapFetch` or `wrapAxios` sends, as evidence. An error of
   * this function is ignored.
   */
  readonly onOutcome?: ((outcome: PaymentOutcome) => void) | undefined;
  /**
   * Signer with which outcomes are reported to the service; by default, nothing is reported. The signer must be the
   * wallet that pays.
   */
  readonly outcomes?: OutcomeSigner | undefined;
  /** Function that fetches the signed statements of the service; default the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Time for which a statement (signed response of the service) is reused, in seconds, at most a day; default 300. */
  readonly cacheSeconds?: number | undefined;
  /**
   * How the summaries of endpoints are looked up. `exact` sends the URL and the recipient. `range` sends only the first
   * digits of a hash of the host, gets the summaries of all hosts with these digits, and finds the endpoint on this
   * machine. A look-up by range does not recognize imitations of known hosts. Default `exact`.
   */
  readonly lookups?: 'exact' | 'range' | undefined;
  /** Number of digits that a look-up by range sends, from 2 to 4; default 2, which is the most private number. */
  readonly rangeDigits?: number | undefined;
  /** Maximum duration of one lookup, in milliseconds, at most a minute; default 3000. */
  readonly timeoutMs?: number | undefined;
  /** Function that returns the current time in milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** Context of the hook `onBeforePaymentCreation` of an x402 client. The members of the context are untrusted. */
export interface PaymentContext {
  readonly paymentRequired: object;
  readonly selectedRequirements: object;
}

/** Result of the hook `beforePayment`: undefined if the payment is allowed. */
export type HookResult = undefined | { abort: true; reason: string };

export interface Guard {
  /**
   * Decides on the terms of one payment, before it is signed. Earlier payments are not regarded. Rejects only with an error
   * of `onDecision`.
   */
  readonly check: (payment: ProposedPayment) => Promise<Decision>;
  /**
   * Hook for `onBeforePaymentCreation` of an x402 client. The hook checks the URL that the seller claims in the
   * challenge, so the hook refuses a URL that Touchstone does not know. `wrapFetch` and `wrapAxios` check the URL that
   * is really requested.
   */
  readonly beforePayment: (context: PaymentContext) => Promise<HookResult>;
  /**
   * Wraps a `fetch` function. The wrapped function rejects with `PaymentRefusedError` if the policy refuses all offers
   * of a 402 response. The function also rejects before a refused payment is sent. Payments to the service itself are
   * not checked.
   */
  readonly wrapFetch: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
  /**
   * Adds the same checks to an axios instance, as interceptors, and returns the instance. Call this function before
   * `wrapAxiosWithPayment`, because axios runs the interceptors of responses in the order in which they were added.
   */
  readonly wrapAxios: <T extends AxiosLike>(instance: T) => T;
  /**
   * Decides on a signed payment and records it in the journal, for clients that the guard cannot wrap. Call it just before
   * the payment is sent, send the payment that it returns, and then call `record`. Rejects only with an error of
   * `onDecision`.
   */
  readonly authorize: (request: AuthorizeRequest) => Promise<Authorization>;
  /**
   * Records the response to a payment that `authorize` allowed. Resolves to false for an unknown id.
   */
  readonly record: (id: string, response: RecordedResponse) => Promise<boolean>;
  /** Sums the payments of the journal. Rejects if the journal cannot be read. */
  readonly spending: () => Promise<Spending>;
  /**
   * Sends the outcomes that wait for the confirmations of their payments, for example before a program ends. Never
   * rejects. Resolves to the number of outcomes that still wait: call the function again in a minute.
   */
  readonly sendOutcomes: () => Promise<number>;
}

interface Settings extends LookupSettings {
  readonly verifyOffer: VerifyOffer | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Creates a guard that checks payments against the signed observations of a Touchstone service, and against the earlier
 * payments of its journal.
 *
 * @throws TypeError for invalid options
 */
export function createGuard(options: GuardOptions): Guard {
  const settings = readOptions(options);
  const { service, policy, now } = settings;
  const report = (decision: Decision): Decision => {
    options.onDecision?.(decision);
    return decision;
  };
  const refuse = (url: string, message: string) => report(createRefusal(url, message, settings));
  const journal = options.journal ?? createMemoryJournal();
  const book = new PaymentBook({ ...{ journal, policy, now, trace: undefined }, onDecision: report });
  const reported = new WeakMap<PaymentOutcome, string>();
  const reporter = createReporter(options, settings, (outcome) => {
    const id = reported.get(outcome);
    if (id !== undefined) void book.recordReport(id);
  });
  const gateOptions = {
    ...{ service, refuse, book, now },
    check: async (payment: ProposedPayment, challenge: object | null | undefined) =>
      report(await addOffer(await decideWithLookup(payment, settings, false), challenge, settings)),
    onResponse: (payment: AllowedPayment, response: ResponseFacts | null) => {
      const outcome = createOutcome(payment, response, { now: now(), signer: options.outcomes?.address });
      if (outcome.isSigner !== false && reporter?.add(outcome) === true) reported.set(outcome, payment.id);
      try {
        options.onOutcome?.(outcome);
      } catch {
        // The request is paid, so its response must reach the program.
      }
    },
  };
  return {
    ...{ wrapFetch: createFetchWrapper(gateOptions), wrapAxios: createAxiosWrapper(gateOptions) },
    ...createManualGate(new PaymentGate(gateOptions), { book, refuse }),
    check: async (payment) => report(await decideWithLookup(payment, settings, false)),
    beforePayment: async (context) => {
      const decision = report(await decideWithLookup(readHookPayment(context), settings, true));
      return decision.action === 'abort' ? { abort: true, reason: formatRefusal(decision) } : undefined;
    },
    spending: () => readSpending(journal, now()),
    sendOutcomes: async () => {
      await book.settle();
      return (await reporter?.flush()) ?? 0;
    },
  };
}

function createRefusal(url: string, message: string, { policy, now }: Settings): Decision {
  const payment = { url, network: '', asset: '', amount: '', payTo: '' };
  const lookup = { summary: null, failure: { code: 'invalid-payment', message } } as const;
  return decide({ payment, lookup, policy, now: now() });
}

function createReporter(
  { outcomes, timeoutMs = DEFAULT_TIMEOUT_MS }: GuardOptions,
  { service, fetch, now }: Settings,
  onAccepted: (outcome: PaymentOutcome) => void,
): OutcomeReporter | null {
  if (outcomes === undefined) return null;
  const signTypedData: OutcomeSigner['signTypedData'] = (data) => outcomes.signTypedData(data);
  return new OutcomeReporter({ ...{ service, signTypedData, fetch, timeoutMs, now }, onAccepted });
}

/** Returns the given function, or the global `fetch`, which throws in browsers as a method of another object. */
function toFetch(fetch: GuardOptions['fetch']): typeof globalThis.fetch {
  return fetch ?? ((input, init) => globalThis.fetch(input, init));
}

/** Default of the maximum duration of one request to the service, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 3_000;

function readOptions(options: GuardOptions): Settings {
  const { report, cacheSeconds = 300, timeoutMs = DEFAULT_TIMEOUT_MS, now = Date.now } = options;
  requireRange('cacheSeconds', cacheSeconds, [0, 86_400]);
  requireRange('timeoutMs', timeoutMs, [1, 60_000]);
  const service = toServiceUrl(options.service);
  const fetch = toFetch(options.fetch);
  return {
    ...{ service, fetch, verifyOffer: options.verifyOffer },
    policy: readPolicy(options),
    lookups: new Lookups({
      service,
      keys: readKeys(options.keys),
      fetch,
      cacheMs: cacheSeconds * 1_000,
      timeoutMs,
      now,
      rangeDigits: readRangeDigits(options),
    }),
    report:
      report === undefined
        ? null
        : { above: readLimit('report.aboveUsd', report.aboveUsd), fetch: report.fetch },
    now,
  };
}

function readPolicy({ policy, verifyOffer }: GuardOptions): Policy {
  const complete = toPolicy(policy);
  if (complete.offers !== 'require' || verifyOffer !== undefined) return complete;
  throw new TypeError(
    'policy.offers is "require", which needs the option verifyOffer: import it from @touchstone/guard/offers.',
  );
}

/** Reads the payment that an x402 client selected. Version 1 states the URL in the requirements. */
function readHookPayment({ paymentRequired, selectedRequirements }: PaymentContext): ProposedPayment {
  const version = readMember(paymentRequired, 'x402Version');
  const url =
    version === 1
      ? readText(selectedRequirements, 'resource')
      : readText(readMember(paymentRequired, 'resource'), 'url');
  return { url: url ?? '', ...readOffer(version, selectedRequirements) };
}

/** Returns the number of digits of look-ups by range; null for exact look-ups. */
function readRangeDigits({ lookups = 'exact', rangeDigits = 2 }: GuardOptions): number | null {
  const choices: readonly string[] = ['exact', 'range'];
  if (!choices.includes(lookups))
    throw new TypeError(`lookups must be 'exact' or 'range'; received ${lookups}.`);
  if (![2, 3, 4].includes(rangeDigits))
    throw new TypeError(`rangeDigits must be 2, 3 or 4; received ${rangeDigits}.`);
  return lookups === 'range' ? rangeDigits : null;
}

function requireRange(name: string, value: number, [min, max]: readonly [number, number]): void {
  if (value >= min && value <= max) return;
  throw new TypeError(`${name} must be a number from ${min} to ${max}; received ${value}.`);
}
