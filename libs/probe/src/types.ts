export type Outcome =
  | 'challenged'
  | 'free'
  | 'other-gate'
  | 'blocked'
  | 'method-mismatch'
  | 'redirected'
  | 'not-found'
  | 'client-error'
  | 'server-error'
  | 'timeout'
  | 'dns-error'
  | 'tls-error'
  | 'connect-error'
  | 'protocol-error'
  | 'refused-address'
  | 'self-failure';

export type Phase = 'resolve' | 'connect' | 'tls' | 'processing' | 'transfer';

/** Milliseconds spent in each phase, from a monotonic clock; null for a phase that was not finished. */
export type PhaseTimings = Readonly<Record<Phase, number | null>>;

export interface Probe {
  readonly url: string;
  readonly method: string;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly phases: PhaseTimings;
  /** From the start of name resolution to the first byte of the answer; null when there was none. */
  readonly latencyMs: number | null;
  /** From the start to the end, whatever the end was. */
  readonly totalMs: number;
  /** Raw header fields in order of arrival, duplicates kept. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded as UTF-8, cut at the body limit. Null when no answer came. */
  readonly body: string | null;
  readonly bodyTruncated: boolean;
  readonly remoteAddress: string | null;
  /** For how long the server asked not to be asked again, at most a day; null when it did not. */
  readonly retryAfterSeconds: number | null;
  /** Why there is no whole answer. An answer whose body could not be decoded keeps the outcome of its status. */
  readonly failure: { readonly phase: Phase; readonly code: string; readonly message: string } | null;
}

export interface DialAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Dial this port instead of the URL's; only an operator's own map sets it. */
  readonly port?: number;
  /** Set by an operator's own map: the address guard does not apply. Never set from outside data. */
  readonly isTrusted?: true;
}

/** Resolves a host name. Rejects with an error whose `code` is a DNS code such as ENOTFOUND. */
export type Resolver = (hostname: string, signal: AbortSignal) => Promise<readonly DialAddress[]>;

export interface ProbeLimits {
  readonly resolveMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
}

export interface ProbeTarget {
  readonly url: string;
  /** Methods to try, in order: the next one after 404, 405, 501 or, to a bare request, 400, 415 or 422. */
  readonly methods: readonly string[];
}

/** One unpaid probe with a fresh connection for each request. Never rejects. */
export type Prober = (target: ProbeTarget) => Promise<Probe>;
