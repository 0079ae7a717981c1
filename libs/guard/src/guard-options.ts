import { toCaip2 } from '@touchstone/x402/networks';
import { readLimit } from './decimal.ts';
import type { LookupSettings } from './decision/decide-with-lookup.ts';
import type { Decision } from './decision/decision.ts';
import { type Policy, type PolicyOptions, toPolicy } from './decision/policy.ts';
import type { Journal } from './ledger/journal.ts';
import { createMemoryJournal } from './ledger/memory-journal.ts';
import type { VerifyOffer } from './offers/offer-query.ts';
import type { PaymentOutcome } from './outcome/outcome.ts';
import type { OutcomeSigner } from './outcome/outcome-reporter.ts';
import { parseHttpUrl } from './payment-terms.ts';
import { type PublicKeyJwk, readKeys, toServiceUrl } from './statement/keys.ts';
import { Lookups } from './statement/lookup.ts';
import { createRpcTrace } from './trace/rpc-trace.ts';
import { createServiceTrace, type ServiceTraceOptions } from './trace/service-trace.ts';
import type { Trace } from './trace/trace.ts';

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
  /**
   * Source of the states of payments without a delivery: the service (default), or JSON-RPC providers of the operator by
   * network (CAIP-2 id). False: the guard reads no states, so a payment whose state is unknown blocks its request for
   * `payAgainAfterSeconds`.
   */
  readonly trace?: 'service' | { readonly rpc: Readonly<Record<string, string>> } | false | undefined;
  /** Function of `@touchstone/guard/offers` that verifies signed offers; by default, offers are not verified. */
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
   * Function that receives the outcome of a payment, as evidence, when the guard records its response or the missing
   * response. An error of this function is ignored.
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
   * Method of looking up the summaries of endpoints. `exact` sends the URL and the recipient. `range` sends only the first
   * digits of a hash of the host, gets the summaries of all hosts with these digits, and finds the endpoint on this
   * machine. A look-up by range does not recognize imitations of known hosts. Default `exact`.
   */
  readonly lookups?: 'exact' | 'range' | undefined;
  /** Number of digits that a look-up by range sends, from 1 to 3; default 1, which is the most private number. */
  readonly rangeDigits?: number | undefined;
  /**
   * Maximum duration of one lookup, in milliseconds, at most a minute; default 3000. A lookup of the state of a payment at the
   * service takes at most 20 seconds, or `timeoutMs` if that is longer.
   */
  readonly timeoutMs?: number | undefined;
  /** Function that returns the current time in milliseconds since 1970; default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

export interface Settings extends LookupSettings {
  readonly verifyOffer: VerifyOffer | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly journal: Journal;
  readonly trace: Trace | undefined;
}

/** Returns the given function, or the global `fetch`, which throws in browsers as a method of another object. */
function toFetch(fetch: GuardOptions['fetch']): typeof globalThis.fetch {
  return fetch ?? ((input, init) => globalThis.fetch(input, init));
}

/** Default of the maximum duration of one request to the service, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 3_000;

/** Completes the options of a guard. @throws TypeError for invalid options */
export function readOptions(options: GuardOptions): Settings {
  const { report, cacheSeconds = 300, timeoutMs = DEFAULT_TIMEOUT_MS, now = Date.now } = options;
  requireRange('cacheSeconds', cacheSeconds, [0, 86_400]);
  requireRange('timeoutMs', timeoutMs, [1, 60_000]);
  const service = toServiceUrl(options.service);
  const fetch = toFetch(options.fetch);
  const source = { service, keys: readKeys(options.keys), fetch, timeoutMs, now };
  return {
    ...{ service, fetch, timeoutMs, policy: readPolicy(options), verifyOffer: options.verifyOffer },
    journal: options.journal ?? createMemoryJournal(),
    trace: createTrace(options.trace, source),
    lookups: new Lookups({
      ...{ ...source, cacheMs: cacheSeconds * 1_000 },
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

/** Returns the number of digits of look-ups by range; null for exact look-ups. */
function readRangeDigits({ lookups = 'exact', rangeDigits = 1 }: GuardOptions): number | null {
  const choices: readonly string[] = ['exact', 'range'];
  if (!choices.includes(lookups))
    throw new TypeError(`lookups must be 'exact' or 'range'; received ${lookups}.`);
  if (![1, 2, 3].includes(rangeDigits))
    throw new TypeError(`rangeDigits must be 1, 2 or 3; received ${rangeDigits}.`);
  return lookups === 'range' ? rangeDigits : null;
}

function createTrace(trace: GuardOptions['trace'], source: ServiceTraceOptions): Trace | undefined {
  if (trace === false) return undefined;
  if (trace === undefined || trace === 'service') return createServiceTrace(source);
  const urls = new Map(
    Object.entries(trace.rpc).map(([network, text]) => {
      const url = parseHttpUrl(text);
      if (url === null) throw new TypeError(`trace.rpc must have http or https URLs; received ${text}.`);
      return [toCaip2(network), url];
    }),
  );
  return createRpcTrace({ ...source, urls });
}

function requireRange(name: string, value: number, [min, max]: readonly [number, number]): void {
  if (value >= min && value <= max) return;
  throw new TypeError(`${name} must be a number from ${min} to ${max}; received ${value}.`);
}
