import { createProblem, type Problem } from '@touchstone/contract/shared/problem';
import { findEncodingHint, readQuery } from '@touchstone/contract/shared/query-parameters';
import { createValidationProblem } from '@touchstone/contract/shared/validation-messages';
import {
  endpointSummariesInputSchema,
  endpointSummariesOperation,
} from '@touchstone/contract/operations/endpoint-summaries/operation';
import {
  endpointPageInputSchema,
  summaryBySlugOperation,
  summaryByUrlOperation,
  summaryInputSchema,
} from '@touchstone/contract/operations/endpoint-summary/operation';
import type { EndpointSummary } from '@touchstone/contract/operations/endpoint-summary/response';
import {
  createEndpointSummary,
  type SummaryRequest,
} from '@touchstone/pipeline/summaries/create-endpoint-summary';
import { createRangeSummaries } from '@touchstone/pipeline/summaries/create-range-summaries';
import { InvalidRequestError } from '@touchstone/pipeline/problem';
import { LRUCache } from 'lru-cache';
import { parseEndpointId, UNKNOWN_SLUG } from '../../serving/known-pages/page-paths.ts';
import { readVantage, getSiteOrigin } from '../../platform/config/config.ts';
import { getSecretDatabase } from '../../platform/database/databases.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { signIfConfigured } from '../sign-document.ts';
import {
  SUMMARY_MAX_AGE_SECONDS,
  createDocumentResponse,
  createJsonResponse,
  createProblemResponse,
} from '../../api/responses.ts';
import { findEndpoint, respondNotFound } from '../../serving/known-pages/known-pages.ts';
import { getClient, rangeSummariesLimiter, summaryLimiter } from '../../api/rate-limit/limiters.ts';
import { getRequestPath } from '../../api/read-request.ts';
import { refuseUnknownParameters, route } from '../../api/route.ts';

const toResponse = (summary: EndpointSummary): Response =>
  createJsonResponse(summary, SUMMARY_MAX_AGE_SECONDS);

/** Responds with the summary of the endpoint at the requested URL. An unknown endpoint has a summary, too. */
async function respondByUrl({ url }: Request): Promise<Response> {
  const parts = { body: {}, query: readQuery(url) };
  const parsed = summaryInputSchema.safeParse(parts);
  if (!parsed.success)
    return createProblemResponse(addEncodingHint(createValidationProblem(parsed.error, parts), url));
  const { resource, payTo = null, network = null } = parsed.data;
  const summary = await createSignedSummary({ resource, endpointId: null, payTo, network });
  return summary === null ? respondUnknown() : toResponse(summary);
}

/** Returns a handler that responds to invalid values with a problem. */
function explainInvalid(respond: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    try {
      return await respond(request);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const { detail, errors } = error.explanation;
      const problem = createProblem('invalid-request', detail, { errors: [...errors] });
      return createProblemResponse(addEncodingHint(problem, request.url));
    }
  };
}

/** Adds a hint to the problem of a request whose URL parameter may lack its percent-encoding. */
function addEncodingHint(problem: Problem, url: string): Problem {
  const hint = findEncodingHint(url);
  return hint === null ? problem : { ...problem, detail: `${problem.detail} ${hint}` };
}

/**
 * Responds with the summary of the endpoint with a slug. If the slug is not the canonical slug of the endpoint, the
 * response is a redirect, as on pages.
 */
async function respondBySlug(request: Request): Promise<Response> {
  const { url } = request;
  const slug = readSlug(url);
  const endpointId = parseEndpointId(slug);
  if (endpointId === null) return respondUnknown();
  const parts = { body: {}, query: readQuery(url), params: { slug } };
  const parsed = endpointPageInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const { payTo = null, network = null } = parsed.data;
  const found = await findEndpoint({
    name: endpointId,
    client: getClient(request),
    query: async () => {
      const summary = await createSignedSummary({ resource: null, endpointId, payTo, network });
      return summary?.endpoint ? { summary, page: summary.endpoint.endpointPage } : null;
    },
  });
  if (found.kind !== 'found') return respondNotFound(found, endpointId, UNKNOWN_SLUG);
  const canonical = `${new URL(found.value.page).pathname}.json`;
  if (canonical === `/endpoint/${slug}.json`) return toResponse(found.value.summary);
  return new Response(null, { status: 308, headers: { location: `${canonical}${new URL(url).search}` } });
}

/** Responds with the summaries of a range of hosts. */
async function respondByRange(request: Request): Promise<Response> {
  const { url } = request;
  const params = { prefix: getRequestPath(url).split('/').at(-1) ?? '' };
  const parts = { body: {}, query: readQuery(url), params };
  const parsed = endpointSummariesInputSchema.safeParse(parts);
  if (!parsed.success) return createProblemResponse(createValidationProblem(parsed.error, parts));
  const { prefix } = parsed.data;
  const text = await getRanges().fetch(prefix);
  if (text === undefined) throw new Error(`The range ${prefix} was not read.`);
  const type = 'application/json';
  return createDocumentResponse(request, { text, type, maxAgeSeconds: SUMMARY_MAX_AGE_SECONDS });
}

/** Maximum length of all kept ranges of this process, in characters. */
const MAX_RANGES_CHARS = 64_000_000;

/** Returns the ranges that were read in the last minute. Concurrent requests share the reading of a range. */
const getRanges = () =>
  getProcessValue(
    'range-summaries',
    () =>
      new LRUCache<string, string>({
        maxSize: MAX_RANGES_CHARS,
        sizeCalculation: (text) => text.length,
        ttl: SUMMARY_MAX_AGE_SECONDS * 1_000,
        fetchMethod: createRangeText,
        // A range that gets no place in the cache is still the response.
        ignoreFetchAbort: true,
      }),
  );

async function createRangeText(prefix: string): Promise<string> {
  const context = { db: getSecretDatabase(), baseUrl: getSiteOrigin(process.env), now: Date.now };
  return JSON.stringify(await signIfConfigured(await createRangeSummaries(context, prefix)));
}

const respondUnknown = (): Response => createProblemResponse(createProblem('unknown-resource', UNKNOWN_SLUG));

/** Returns the slug in the last segment of a path such as `/endpoint/{slug}.json`. */
function readSlug(url: string): string {
  const segment = getRequestPath(url).split('/').at(-1) ?? '';
  return segment.replace(/\.json$/, '');
}

/** Handlers of `/v1/x402-summary`. */
export const summaryRoute = route(
  { GET: refuseUnknownParameters(summaryByUrlOperation, explainInvalid(respondByUrl)) },
  { limiter: summaryLimiter },
);

/** Handlers of `/endpoint/{slug}.json`. */
export const endpointSummaryRoute = route(
  { GET: refuseUnknownParameters(summaryBySlugOperation, explainInvalid(respondBySlug)) },
  { limiter: summaryLimiter },
);

/** Handlers of `/v1/summaries/{prefix}`. */
export const rangeSummariesRoute = route(
  { GET: refuseUnknownParameters(endpointSummariesOperation, respondByRange) },
  { limiter: rangeSummariesLimiter },
);

/**
 * Creates the signed summary of an endpoint. Returns null if no endpoint has the requested id.
 *
 * @throws InvalidRequestError if the requested URL cannot be an endpoint, or the network is not a network
 */
async function createSignedSummary(request: SummaryRequest): Promise<EndpointSummary | null> {
  const summary = await createEndpointSummary(
    {
      db: getSecretDatabase(),
      baseUrl: getSiteOrigin(process.env),
      vantage: readVantage(process.env),
      now: Date.now,
    },
    request,
  );
  return summary && signIfConfigured(summary);
}
