import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import { CHECK_METHODS } from '@touchstone/contract/operations/check/operation';
import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { toHostText, toUrlText } from '../../page-parts/classify-query.ts';
import { ParamReader } from '../../page-parts/param-reader.ts';
import { routePageWithParams } from '../../serving/route-page.ts';

type CheckMethod = (typeof CHECK_METHODS)[number];

/** Reasons for which the form was sent, but the endpoint was not checked. */
export const CHECK_PROBLEMS = ['not-probeable', 'rate-limited', 'failed'] as const;

/** Parameters of the page of checks. */
export interface CheckParams {
  /** URL to check, as typed; null for the empty form. */
  readonly url: string | null;
  /** Method of the check; null if the check chooses the method. */
  readonly method: CheckMethod | null;
  /** Reason why the check of this URL failed; null without a failed check. */
  readonly problem: (typeof CHECK_PROBLEMS)[number] | null;
  /** Seconds after which the form can be sent again; null if the reason names no time. */
  readonly waitSeconds: number | null;
}

/** Maximum wait that the page names, in seconds. */
const MAX_WAIT_SECONDS = 3_600;

const findIn =
  <Value extends string>(values: readonly Value[]) =>
  (text: string): Value | null =>
    values.find((value) => value === text) ?? null;

/** Parses the parameters of the page, and the fields of its form. */
export function parseCheckParams(
  search: URLSearchParams,
): CheckParams & { readonly ignored: readonly string[] } {
  const reader = new ParamReader(search);
  return {
    url: reader.readOne('url', readUrl),
    method: reader.readOne('method', (text) => findIn(CHECK_METHODS)(text.toUpperCase())),
    problem: reader.readOne('problem', findIn(CHECK_PROBLEMS)),
    waitSeconds: reader.readOne('wait', readWait),
    ignored: reader.ignored,
  };
}

/** Reads a typed URL. A host without a scheme gets `https://`. */
function readUrl(text: string): string | null {
  if (text.length > MAX_RESOURCE_CHARS) return null;
  const host = toHostText(text);
  return host === null ? (toUrlText(text) ?? text) : `https://${host}/`;
}

function readWait(text: string): number | null {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= MAX_WAIT_SECONDS ? seconds : null;
}

/** Formats parameters as the query of the page, without the question mark. */
export function formatCheckQuery({ url, method, problem, waitSeconds }: CheckParams): string {
  const query = new URLSearchParams();
  if (url !== null) query.set('url', url);
  if (method !== null) query.set('method', method);
  if (problem !== null) query.set('problem', problem);
  if (waitSeconds !== null) query.set('wait', String(waitSeconds));
  return query.toString();
}

/** Returns the path of the page of a URL. The page shows the form with this URL, and its latest check. */
export function toCheckPath(url: string): string {
  return `/check?${formatCheckQuery({ url, method: null, problem: null, waitSeconds: null })}`;
}

/** Routes a GET request for the page. The page never sends a request to the endpoint. */
export function routeCheckPage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { ignored, ...params } = parseCheckParams(request.nextUrl.searchParams);
  return routePageWithParams(request, limiter, {
    path: '/on-demand/page/check',
    query: formatCheckQuery(params),
    ignored,
  });
}
