import { canonicalize } from '@touchstone/catalog';
import type { EndpointCheck } from '@touchstone/contract/operations/check/response';
import { isRefusedByProvider, listCode, readKeptCheck } from '../../operations/checks.ts';
import { readThroughCache } from '../../serving/page-cache/page-data.ts';
import { UNSTORED_TAG } from '../../serving/page-cache/page-lifetime.ts';
import { decodePageParams } from '../../serving/route-page.ts';
import { parseCheckParams, type CheckParams } from './check-params.ts';

/** Code of the repaired route for one stack. */
export type CheckCode = NonNullable<EndpointCheck['code']>;

/** Result of a check without its code, which the page shows for every stack. */
export type ShownCheck = Omit<EndpointCheck, 'code'>;

/** Data of the page of one URL. */
export interface CheckPageData {
  readonly params: CheckParams;
  /** Ignored values of the URL of the page. */
  readonly ignored: readonly string[];
  /** Reason why the URL cannot be checked; null for a URL that can be checked. */
  readonly fault: string | null;
  /** True if the check failed because the provider asked this service to send no requests. */
  readonly isRefused: boolean;
  /** Latest check of the URL; null if there was none within a day. */
  readonly check: ShownCheck | null;
  /** Code of the repaired route for every stack; empty without a repair. */
  readonly codes: readonly CheckCode[];
}

/** Loads the latest check of the URL in a path segment. The data is never stored, because clients can send any URL. */
export function loadCheck(segment: string): Promise<CheckPageData> {
  return readThroughCache(['check', segment], UNSTORED_TAG, async () => {
    const { query, ignored } = decodePageParams(segment);
    const { ignored: _, ...params } = parseCheckParams(new URLSearchParams(query));
    const { url, method } = params;
    const canonical = url === null ? null : canonicalize(url);
    const fault = canonical === null || canonical.ok ? null : canonical.reason;
    const kept = url === null || fault !== null ? null : await readKeptCheck({ resource: url, method });
    // Anyone can write the problem into a link, so the page says this of a provider only after it looked it up.
    const isRefused =
      params.problem === 'not-probeable' &&
      canonical?.ok === true &&
      (await isRefusedByProvider({ endpointId: canonical.id, host: canonical.host }));
    return {
      ...{ params, ignored, fault, isRefused, check: kept?.check ?? null },
      codes: kept === null ? [] : listCode(kept),
    };
  });
}
