import { readOffer } from './payment/challenge.ts';
import { decide, MALFORMED_PAYMENT } from './decision/decide.ts';
import { type Lookup, Lookups } from './statement/lookup.ts';
import { type Decimal, isGreater, readLimit } from './decimal.ts';
import { type Decision, formatRefusal } from './decision/decision.ts';
import { type ProposedPayment, readPaymentTerms, type PaymentTerms } from './payment-terms.ts';
import { readKeys, toServiceUrl, type PublicKeyJwk } from './statement/keys.ts';
import {
  type AllowedPayment,
  createOutcome,
  type PaymentOutcome,
  type ResponseFacts,
} from './outcome/outcome.ts';
import { OutcomeReporter, type OutcomeSigner } from './outcome/outcome-reporter.ts';
import { toPriceUsd } from './decision/offered-token.ts';
import { toPolicy, type Policy, type PolicyOptions } from './decision/policy.ts';
import { createAxiosWrapper, type AxiosLike, createFetchWrapper } from './payment/wrap-clients.ts';
import { readMember, readText } from '@touchstone/x402/json';

export interface GuardOptions {
  /**
   * URL of the Touchstone service, for example `https://touchstone.example`. The guard uses only the origin of the URL.
   */
  readonly service: string;
  /** Pinned public keys of the service. The guard refuses statements with a signature of any other key. */
  readonly keys: readonly PublicKeyJwk[];
  readonly policy?: PolicyOptions | undefined;
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
  /** Decides on one payment. Rejects only with an error of `onDecision`. */
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
   * Sends the outcomes that wait for the confirmations of their payments, for example before a program ends. Never
   * rejects. Resolves to the number of outcomes that still wait: call the function again in a minute.
   */
  readonly sendOutcomes: () => Promise<number>;
}

interface Settings {
  readonly service: URL;
  readonly policy: Policy;
  readonly lookups: Lookups;
  readonly report: { readonly above: Decimal; readonly fetch: typeof globalThis.fetch } | null;
  readonly now: () => number;
}

/**
 * Creates a guard that checks payments against the signed observations of a Touchstone service.
 *
 * @throws TypeError for invalid options
 */
export function createGuard(options: GuardOptions): Guard {
  const settings = readOptions(options);
  const report = (decision: Decision): Decision => {
    options.onDecision?.(decision);
    return decision;
  };
  const reporter = createReporter(options, settings);
  const check = async (payment: ProposedPayment) => report(await decideWithLookup(payment, settings, false));
  const checkOptions = {
    service: settings.service,
    check,
    refuse: (url: string, message: string) =>
      report(
        decide({
          payment: { url, network: '', asset: '', amount: '', payTo: '' },
          lookup: { summary: null, failure: { code: 'invalid-payment', message } },
          policy: settings.policy,
          now: settings.now(),
        }),
      ),
    onResponse: (payment: AllowedPayment, response: ResponseFacts | null) => {
      const context = { now: settings.now(), signer: options.outcomes?.address };
      const outcome = createOutcome(payment, response, context);
      if (outcome.isSigner !== false) reporter?.add(outcome);
      try {
        options.onOutcome?.(outcome);
      } catch {
        // The request is paid, so its response must reach the program.
      }
    },
  };
  return {
    check,
    beforePayment: async (context) => {
      const decision = report(await decideWithLookup(readHookPayment(context), settings, true));
      return decision.action === 'abort' ? { abort: true, reason: formatRefusal(decision) } : undefined;
    },
    wrapFetch: createFetchWrapper(checkOptions),
    wrapAxios: createAxiosWrapper(checkOptions),
    sendOutcomes: async () => (await reporter?.flush()) ?? 0,
  };
}

function createReporter(
  { outcomes, timeoutMs = DEFAULT_TIMEOUT_MS, ...options }: GuardOptions,
  { service, now }: Settings,
): OutcomeReporter | null {
  if (outcomes === undefined) return null;
  const signTypedData: OutcomeSigner['signTypedData'] = (data) => outcomes.signTypedData(data);
  return new OutcomeReporter({ service, signTypedData, fetch: toFetch(options.fetch), timeoutMs, now });
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
  return {
    service,
    policy: toPolicy(options.policy),
    lookups: new Lookups({
      service,
      keys: readKeys(options.keys),
      fetch: toFetch(options.fetch),
      cacheMs: cacheSeconds * 1_000,
      timeoutMs,
      now,
    }),
    report:
      report === undefined
        ? null
        : { above: readLimit('report.aboveUsd', report.aboveUsd), fetch: report.fetch },
    now,
  };
}

async function decideWithLookup(
  payment: ProposedPayment,
  settings: Settings,
  isUrlClaimed: boolean,
): Promise<Decision> {
  const { policy, lookups, now } = settings;
  const decideBy = (lookup: Lookup) => decide({ payment, lookup, policy, now: now(), isUrlClaimed });
  const terms = readPaymentTerms(payment);
  if (terms === null) return decideBy({ summary: null, failure: MALFORMED_PAYMENT });
  const decision = decideBy(await lookups.readSummary(terms));
  const { report } = settings;
  if (report === null || decision.summary === null || isRefused(decision)) return decision;
  if (!needsReport(terms, decision, settings)) return decision;
  return decideBy(await lookups.readReport(terms, decision.summary, report.fetch));
}

/**
 * Returns true if a payment is refused and the paid report cannot change this. A report can only add observations that
 * the summary lacks.
 */
function isRefused({ reasons }: Decision): boolean {
  return reasons.some(({ code, action }) => action === 'abort' && code !== 'max-unknown-price');
}

/** Returns true if the price of a payment is unknown, or above the configured price for buying a report. */
function needsReport(terms: PaymentTerms, { summary }: Decision, { service, report }: Settings): boolean {
  // The purchase of a report is itself a payment to the service.
  if (report === null || new URL(terms.resource).origin === service.origin) return false;
  const price = toPriceUsd(terms, summary?.endpoint ?? null);
  return price === null || isGreater(price, report.above);
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

function requireRange(name: string, value: number, [min, max]: readonly [number, number]): void {
  if (value >= min && value <= max) return;
  throw new TypeError(`${name} must be a number from ${min} to ${max}; received ${value}.`);
}
