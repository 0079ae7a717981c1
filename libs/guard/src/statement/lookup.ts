import { canonicalizeUrl } from '@touchstone/common';
import { readText } from '@touchstone/x402/json';
import { parseNetwork } from '@touchstone/x402/networks';
import { hashHost } from '@touchstone/x402/range-keys';
import { type LookupFailure, verifyStatement, type Statement } from './statement.ts';
import { fetchJson, type JsonResult } from './fetch-json.ts';
import type { PublicKeyJwk } from './keys.ts';
import type { PaymentTerms } from '../payment-terms.ts';
import { removeOldest } from '../remove-oldest.ts';
import { findInRange, readRange, type Range } from './range.ts';
import { addReport, readReport, type Report } from './report.ts';
import { isForRequest, readSummary, type RequestedTerms, type Summary } from './summary.ts';

/**
 * Result of a request for Touchstone's statements. `failure` is the reason why the summary or the paid report is
 * missing.
 */
export type Lookup =
  | {
      readonly summary: Summary;
      readonly source: 'summary' | 'report';
      /** Payment terms of the report. The payment is also compared with these terms. */
      readonly reported?: Summary;
      readonly failure?: LookupFailure;
    }
  | { readonly summary: null; readonly failure: LookupFailure };

export interface LookupOptions {
  readonly service: URL;
  readonly keys: readonly PublicKeyJwk[];
  readonly fetch: typeof globalThis.fetch;
  readonly cacheMs: number;
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Number of digits of the prefixes by which summaries are looked up in ranges of hosts; null to look up by URL. */
  readonly rangeDigits: number | null;
}

const SUMMARY_PATH = '/v1/x402-summary';
const RANGE_PATH = '/v1/summaries/';
const REPORT_PATH = '/v1/x402-trust';
const UNREADABLE: LookupFailure = {
  code: 'unreachable',
  message: 'This version of the guard cannot read the statement. Update the guard.',
};
const OTHER_STATEMENT: LookupFailure = {
  code: 'wrong-statement',
  message: 'The statement is for another request.',
};
const OMITTED_HOST: LookupFailure = {
  code: 'unreachable',
  message:
    "The range of this host has too many endpoints, and leaves the host out. Use a higher rangeDigits, or lookups: 'exact' for this host.",
};
const MAX_ENTRIES = 1_000;
const MAX_FAILURE_MS = 10_000;
const MAX_SUMMARY_BYTES = 65_536;
const MAX_RANGE_BYTES = 8_388_608;
/** Maximum number of cached ranges. A range can have thousands of endpoints. */
const MAX_RANGES = 32;
const MAX_REPORT_BYTES = 524_288;
/** Maximum duration of a purchase: two requests, a live probe and a settlement. */
const REPORT_TIMEOUT_MS = 30_000;

type RangeResult = { readonly range: Range } | { readonly failure: LookupFailure };
type ReportResult = { readonly report: Report } | { readonly failure: LookupFailure };

/** Reads and caches the statements (signed responses) of a service on proposed payments. */
export class Lookups {
  readonly #options: LookupOptions;
  readonly #summaries: Cache<Lookup>;
  readonly #ranges: Cache<RangeResult>;
  readonly #reports: Cache<ReportResult>;

  constructor(options: LookupOptions) {
    this.#options = options;
    this.#summaries = new Cache(MAX_ENTRIES, options.now);
    this.#ranges = new Cache(MAX_RANGES, options.now);
    this.#reports = new Cache(MAX_ENTRIES, options.now);
  }

  /** Reads the free summary of an endpoint. Never rejects. */
  readSummary(terms: PaymentTerms): Promise<Lookup> {
    const { resource, network, payTo } = terms;
    const { rangeDigits } = this.#options;
    if (rangeDigits !== null) return this.#findSummary({ resource, payTo, network }, rangeDigits);
    const key = JSON.stringify([resource, network, payTo]);
    return this.#summaries.get(key, () => this.#fetchSummary({ resource, payTo, network }));
  }

  /** Buys the report on an endpoint and adds it to a summary. Never rejects. */
  async readReport(
    terms: PaymentTerms,
    summary: Summary,
    payingFetch: typeof globalThis.fetch,
  ): Promise<Lookup> {
    const { resource } = terms;
    const result = await this.#reports.get(resource, () => this.#buyReport(resource, payingFetch));
    if ('failure' in result) return { summary, source: 'summary', failure: result.failure };
    return { ...addReport(summary, result.report, terms), source: 'report' };
  }

  async #fetchSummary(asked: RequestedTerms): Promise<Expiring<Lookup>> {
    const { service, fetch, timeoutMs } = this.#options;
    const url = new URL(SUMMARY_PATH, service);
    url.search = new URLSearchParams({ ...asked }).toString();
    const result = await fetchJson({ fetch, url, timeoutMs, maxBytes: MAX_SUMMARY_BYTES });
    if ('problem' in result && result.isInvalid === true)
      return this.#toFailure({ code: 'not-accepted', message: result.problem });
    const statement = await this.#verify(result, 'endpoint-summary');
    if ('code' in statement) return this.#toFailure(statement);
    if (!isForRequest(statement.document, asked)) return this.#toFailure(OTHER_STATEMENT);
    const summary = readSummary(statement.document, asked);
    if (summary === null) return this.#toFailure(UNREADABLE);
    return { value: { summary, source: 'summary' }, expiresAt: this.#toExpiry(statement) };
  }

  /** Finds the summary of an endpoint in the range of its host. A URL that the service would refuse is not sent. */
  async #findSummary(asked: RequestedTerms, digits: number): Promise<Lookup> {
    const { service } = this.#options;
    const url = canonicalizeUrl(asked.resource);
    const network = parseNetwork(asked.network);
    if (!url.ok || network === null) {
      const reason = url.ok ? `${asked.network} is not the id of a network` : url.reason;
      const message = `${service.origin} does not accept this payment: ${reason}.`;
      return { summary: null, failure: { code: 'not-accepted', message } };
    }
    const hash = await hashHost(globalThis.crypto.subtle, url.host);
    const prefix = hash.slice(0, digits);
    const result = await this.#ranges.get(prefix, () => this.#fetchRange(prefix));
    if ('failure' in result) return { summary: null, failure: result.failure };
    if (result.range.omittedHosts.has(hash)) return { summary: null, failure: OMITTED_HOST };
    const summary = await findInRange(result.range, { asked, url, network, service });
    return summary === null ? { summary, failure: UNREADABLE } : { summary, source: 'summary' };
  }

  async #fetchRange(prefix: string): Promise<Expiring<RangeResult>> {
    const { service, fetch, timeoutMs } = this.#options;
    const url = new URL(`${RANGE_PATH}${prefix}`, service);
    const result = await fetchJson({ fetch, url, timeoutMs, maxBytes: MAX_RANGE_BYTES });
    const statement = await this.#verify(result, 'endpoint-summaries');
    if ('code' in statement) return this.#toFailure(statement);
    if (readText(statement.document, 'prefix') !== prefix) return this.#toFailure(OTHER_STATEMENT);
    const range = readRange(statement.document);
    if (range === null) return this.#toFailure(UNREADABLE);
    return { value: { range }, expiresAt: this.#toExpiry(statement) };
  }

  async #buyReport(resource: string, payingFetch: typeof globalThis.fetch): Promise<Expiring<ReportResult>> {
    const result = await fetchJson({
      fetch: payingFetch,
      url: new URL(REPORT_PATH, this.#options.service),
      body: JSON.stringify({ resource }),
      timeoutMs: REPORT_TIMEOUT_MS,
      maxBytes: MAX_REPORT_BYTES,
    });
    const statement = await this.#verify(result, 'x402-trust');
    if ('code' in statement) return this.#toFailure(statement);
    const report = readReport(statement.document);
    if (report === null) return this.#toFailure(UNREADABLE);
    if (report.endpoint.resource !== resource) return this.#toFailure(OTHER_STATEMENT);
    return { value: { report }, expiresAt: this.#toExpiry(statement) };
  }

  async #verify(result: JsonResult, schemaType: string): Promise<Statement | LookupFailure> {
    if ('problem' in result) return { code: 'unreachable', message: result.problem };
    const { keys, now, cacheMs } = this.#options;
    return verifyStatement(result.value, { schemaType, keys, now: now(), maxAgeMs: cacheMs });
  }

  #toExpiry({ usableUntil }: Statement): number {
    return Math.min(this.#options.now() + this.#options.cacheMs, usableUntil);
  }

  #toFailure(failure: LookupFailure): Expiring<{ readonly summary: null; readonly failure: LookupFailure }> {
    const { now, cacheMs } = this.#options;
    return { value: { summary: null, failure }, expiresAt: now() + Math.min(cacheMs, MAX_FAILURE_MS) };
  }
}

/** Value and the end of its reuse, in milliseconds since 1970. */
interface Expiring<T> {
  readonly value: T;
  readonly expiresAt: number;
}

interface Entry<T> {
  readonly promise: Promise<T>;
  readonly startedAt: number;
  /**
   * End of the reuse of the value; Infinity while the value is loading, so that concurrent callers share the loading
   * value.
   */
  expiresAt: number;
}

/** Cache of loaded values with a maximum number of entries. Needs no timer. */
export class Cache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #maxEntries: number;
  readonly #now: () => number;

  /** @param now function that returns the current time in milliseconds since 1970 */
  constructor(maxEntries: number, now: () => number) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  /** Returns the value of a key. Loads it unless it is cached or already loading. A rejected value is not cached. */
  get(key: string, load: () => Promise<Expiring<T>>): Promise<T> {
    const now = this.#now();
    const cached = this.#entries.get(key);
    // A clock that was set back makes the age of a cache entry unknown.
    if (cached !== undefined && cached.expiresAt > now && cached.startedAt <= now) return cached.promise;
    return this.#load(key, now, load);
  }

  #load(key: string, startedAt: number, load: () => Promise<Expiring<T>>): Promise<T> {
    const loading = load();
    const entry: Entry<T> = { promise: loading.then(({ value }) => value), startedAt, expiresAt: Infinity };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    removeOldest(this.#entries, this.#maxEntries);
    loading.then(
      ({ expiresAt }) => (entry.expiresAt = expiresAt),
      () => (entry.expiresAt = 0),
    );
    return entry.promise;
  }
}
