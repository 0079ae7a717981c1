export type Grade = 'A' | 'B' | 'C' | 'D' | 'F' | '?';
export type Recommendation = 'proceed' | 'caution' | 'parameterize' | 'avoid' | 'unverified' | 'free';
export type Component = 'uptime' | 'compliance' | 'stability' | 'activity' | 'age' | 'latency';

/** Verdict on a challenge: passes all checks, has warnings only, has errors but can be paid, cannot be paid. */
export type ComplianceVerdict = 'pass' | 'warnings' | 'errors' | 'unpayable';

export type ChangeKind = 'price_change' | 'payto_change' | 'asset_network_change';

/** A change of the advertised terms inside the 30-day window. Times are milliseconds since the epoch. */
export interface TermsChange {
  readonly kind: ChangeKind;
  readonly at: number;
}

/** Everything the score is computed from. Times are milliseconds since the epoch. */
export interface ScoreInputs {
  readonly now: number;
  readonly firstSeen: number;
  readonly listed: boolean;
  readonly templated: boolean;
  readonly description: string | null;
  /** Probes of the last 30 days. `scored` are those that count in uptime; `up` those of them that were up. */
  readonly probes: {
    readonly total: number;
    readonly scored: number;
    readonly up: number;
    readonly excluded: number;
    readonly blocked: number;
    readonly redirected: number;
  };
  /** Challenges of the last 30 days by compliance verdict. */
  readonly envelopes: Readonly<Record<ComplianceVerdict, number>>;
  /** Percentiles of time to first byte over `n` answers, milliseconds; null when none was measured. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly n: number } | null;
  readonly changes: readonly TermsChange[];
  readonly everChallenged: boolean;
  /** Answered a plain request with data, at least once, in the window. */
  readonly answeredFree: boolean;
  /**
   * Time of the last probe that counts in uptime; null before the first. The state of an endpoint is known up
   * to here and no further, so what lasts for a day is measured up to here and not up to `now`.
   */
  readonly lastProbedAt: number | null;
  /** Start of the present outage; null while up or not measured. */
  readonly downSince: number | null;
  readonly lastChallengedAt: number | null;
  /** Last time a challenge was payable by a reference client. */
  readonly lastPayableAt: number | null;
  /** Verdict on the latest challenge; null before the first, and where it is not known. */
  readonly latestCompliance: ComplianceVerdict | null;
  /**
   * Start of the present stretch of watching without a gap of ours. What must have lasted for a day is not concluded
   * from time in which nobody looked; null where it is not known, which is taken as no gap.
   */
  readonly watchedSince: number | null;
  /** What is advertised now; null when nothing is. */
  readonly advertised: {
    readonly amountUsd: string | null;
    readonly network: string;
    readonly payTo: string;
    readonly falseUsdc: boolean;
    readonly networkKnown: boolean;
    readonly protocolVersion: 1 | 2 | null;
  } | null;
  /** Median advertised price of the window in US dollars; null when unknown. */
  readonly medianPriceUsd30d: string | null;
  /** Settlements with everything that is advertised, read from the chains; null where none could be read. */
  readonly settlement: {
    readonly volumeUsd30d: number;
    readonly payers30d: number;
    readonly topPayerShare: number;
    /**
     * Some of what is advertised could not be read: a wallet, a network, another token than USDC. The figures are then at
     * least so much, and none at all where nobody paid what could be read.
     */
    readonly partial?: boolean;
  } | null;
  /** Share of the advertised networks whose chain was read in the last day, 0..1. */
  readonly networksRead: number;
  /** Listed endpoints of other hosts that advertise the same payTo; absent where they were not counted. */
  readonly payToSharedWith?: number;
  /** What was amiss with the latest challenge beyond its verdict; absent where it was not looked at. */
  readonly lastChallenge?: {
    /** It does not name the resource it is for. */
    readonly resourceInfoMissing: boolean;
    /** Its header and its body contradict each other on payTo, amount, network or asset. */
    readonly headerBodyMismatch: boolean;
  };
}

export type FlagSeverity = 'error' | 'warning';
export interface Flag {
  readonly slug: string;
  readonly severity: FlagSeverity;
  readonly message: string;
  readonly evidence: Readonly<Record<string, string | number | null>>;
  /** Milliseconds since the epoch when it began, where that is known. */
  readonly since: number | null;
}

export interface ComponentScore {
  readonly component: Component;
  /**
   * The named figures it was computed from, null where they were not measured: uptime {up, scored, share},
   * compliance {pass, warnings, errors, unpayable}, stability {priceChanges, payToChanges, assetNetworkChanges, lost},
   * activity {volumeUsd30d, payers30d, topPayerShare}, age {days}, latency {p50, p95, n}.
   */
  readonly inputs: Readonly<Record<string, number | string | null>>;
  /** 0..1, or null where it could not be measured. */
  readonly value: number | null;
  readonly weight: number;
  /** Points of the 100 it contributed; 0 when unmeasured. */
  readonly points: number;
  readonly explanation: string;
}

export interface Cap {
  readonly rule: string;
  readonly limit: number;
  readonly explanation: string;
}

export interface Verdict {
  readonly scoringVersion: string;
  /** 0..100, one decimal; 0 where nothing was measured, which then has no grade. */
  readonly score: number;
  readonly scoreRange: { readonly low: number; readonly point: number; readonly high: number };
  readonly grade: Grade;
  readonly recommendation: Recommendation;
  /** The recommendation rules that decided, in order, a sentence each. */
  readonly reasons: readonly string[];
  readonly confidence: number;
  readonly confidenceDetail: {
    readonly overall: number;
    readonly observation: number;
    readonly economic: number;
  };
  readonly components: readonly ComponentScore[];
  readonly caps: readonly Cap[];
  readonly flags: readonly Flag[];
  /** The score 30 days from now if today's state holds; null where nothing was measured, or not for a day. */
  readonly projection: { readonly at: number; readonly score: number; readonly grade: Grade } | null;
}
