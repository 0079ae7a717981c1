/** Maximum number of redirects that a probe follows. Clients follow up to 20. Source: Fetch standard, 4.4. */
export const MAX_REDIRECTS = 3;

/** One followed HTTP redirect. */
export interface Redirect {
  /** HTTP status of the redirecting response. */
  readonly status: number;
  /** Absolute URL to which the redirect leads. */
  readonly url: string;
}

/**
 * How the body of a response ended. `complete`: the body was received to its end. `size-limit`: the reader stopped at
 * its own size limit. `deadline`: the body had not ended at the deadline of the request. `closed`: the connection ended
 * before the body. `undecodable`: the body was received, but its content coding or framing is invalid.
 */
export type BodyEnd = 'complete' | 'size-limit' | 'deadline' | 'closed' | 'undecodable';
