import type { BodyEnd, Redirect } from '@touchstone/common';
import type { Outcome } from './outcome/classify-outcome.ts';

/**
 * Phase of an HTTP request. The phase `processing` ends at the first byte of the response, `transfer` at the last byte.
 */
export type Phase = 'resolve' | 'connect' | 'tls' | 'processing' | 'transfer';

/**
 * Duration of each phase in milliseconds, from a monotonic clock; null for a phase that did not finish. After redirects,
 * each phase is the sum over all requests.
 */
export type PhaseTimings = Readonly<Record<Phase, number | null>>;

/**
 * Result of one probe. After followed redirects, the response is that of the last target, and the durations are sums
 * over all requests of the chain.
 */
export interface Probe {
  /** URL of the target, before redirects. */
  readonly url: string;
  /** Method of the first request, before redirects. */
  readonly method: string;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly phases: PhaseTimings;
  /** Milliseconds from the start of name resolution to the first byte of the last response; null without a response. */
  readonly latencyMs: number | null;
  /** Milliseconds from the start to the end of the request, for failed requests too. */
  readonly totalMs: number;
  /** Raw header fields in order of arrival, with duplicates. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Body without content coding, decoded as UTF-8 and truncated at the body limit; null without a response. */
  readonly body: string | null;
  /** Size and hash of the body without content coding; absent without a response, and unless the request asks for them. */
  readonly bodyDigest?: BodyDigest;
  /** How the body ended; null without a response. */
  readonly bodyEnd: BodyEnd | null;
  /** Followed redirects in order. The response is that of the last target. */
  readonly redirects: readonly Redirect[];
  /** Statuses of the interim (1xx) responses before the final response, in order of arrival. */
  readonly interimStatuses: readonly number[];
  /**
   * Response to the method that the challenge declares, when the challenge came from another method; null otherwise, and
   * when the declared method was not requested.
   */
  readonly declaredMethod: MethodStatus | null;
  readonly remoteAddress: string | null;
  /** Facts about the last TLS connection; missing without one, and unless the target asks for them. */
  readonly tls?: TlsFacts;
  /** Pause that the server requested with `Retry-After`, in seconds, at most one day; null without a valid header. */
  readonly retryAfterSeconds: number | null;
  /**
   * Reason why the response is missing or incomplete; null for a complete response. When only the body is incomplete, the
   * outcome can still be that of the HTTP status.
   */
  readonly failure: RequestFailure | null;
}

/** Size of a body in bytes, and its SHA-256 in hex. Both describe the received part of a body that was truncated. */
export interface BodyDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Facts about an established TLS connection. */
export interface TlsFacts {
  /** Protocol version, such as `TLSv1.3`. */
  readonly protocol: string;
  /** Earliest end of validity in the certificate chain, as an ISO 8601 time; null for an invalid date. */
  readonly validTo: string | null;
}

/** HTTP status of the response to one request method; null without a response. */
interface MethodStatus {
  readonly method: string;
  readonly status: number | null;
}

/** Reason why a response is missing or incomplete. */
export interface RequestFailure {
  readonly phase: Phase;
  /** Error code of Node, OpenSSL, llhttp, c-ares or the prober. */
  readonly code: string;
  /** Message of the error, which may contain remote data. */
  readonly message: string;
  /** Deadline that was exceeded, in milliseconds; missing for other failures. */
  readonly limitMs?: number;
  /** Certificate that was not accepted; missing for other failures. */
  readonly certificate?: CertificateFacts;
}

/** Facts about a certificate chain whose verification failed. */
export interface CertificateFacts {
  /** Latest start of validity in the chain, as an ISO 8601 time; null when a certificate has an invalid date. */
  readonly validFrom: string | null;
  /** Earliest end of validity in the chain, as an ISO 8601 time; null when a certificate has an invalid date. */
  readonly validTo: string | null;
  /**
   * Host names and IP addresses for which the leaf certificate is valid: at most 3, each of at most 100 ASCII
   * characters that occur in names and addresses.
   */
  readonly names: readonly string[];
  /** Number of names in the leaf certificate, including the names that `names` leaves out. */
  readonly nameCount: number;
}

/** An IP address to connect to. */
export interface DialAddress {
  readonly address: string;
  readonly family: 4 | 6;
  /** Port that replaces the port of the URL. Only the operator's own resolvers set this port. */
  readonly port?: number;
  /**
   * True when the address guard does not check this address. Only the operator's own resolvers set this flag; DNS data
   * never sets it.
   */
  readonly isTrusted?: true;
}

/** Function that resolves a host name. Rejects with an error whose `code` is a DNS error code such as ENOTFOUND. */
export type Resolver = (hostname: string, signal: AbortSignal) => Promise<readonly DialAddress[]>;

export interface ProbeLimits {
  readonly resolveMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly firstByteMs: number;
  readonly totalMs: number;
  /** Maximum length of the response's header section, in bytes. */
  readonly headerBytes: number;
  /** Maximum length of the body in bytes, both encoded and decoded. */
  readonly bodyBytes: number;
}

export interface ProbeTarget {
  readonly url: string;
  /**
   * HTTP methods in the order in which they are tried. The next method is tried after a status that rejects the method or
   * the missing input, such as 404, 405, 406 or 500.
   */
  readonly methods: readonly string[];
  /** True if requests to the hosts of redirect targets start before those of other probes; false by default. */
  readonly isUrgent?: boolean | undefined;
  /** True to read `tls`, which takes processor time; false by default. */
  readonly readsTls?: boolean | undefined;
  /**
   * Returns the method that a challenge declares for paid requests; null without a declaration. If the declared method
   * is another one than the method of the challenge, the prober requests the declared method, too.
   */
  readonly readDeclaredMethod?: ((challenged: Probe) => string | null) | undefined;
}

/**
 * Function that sends unpaid requests to an endpoint, each over a new connection, and returns one result. Never
 * rejects.
 */
export type Prober = (target: ProbeTarget) => Promise<Probe>;
