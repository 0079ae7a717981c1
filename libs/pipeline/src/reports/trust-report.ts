import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import { removeQuery } from '@touchstone/common';
import { readReportSubject, recordLiveProbe, type Db, type ReportSubject } from '@touchstone/store';
import { assembleReport, toStoredFreshness, type ReportFreshness } from '@touchstone/trust';
import { createInvalidUrl, createOperationProblem, type ReportProblem } from '../problem.ts';
import { recordProbe } from '../probing/record.ts';
import { adopt, checkAdoptable, PROVISIONAL_ADOPTION_MS } from './adopt.ts';
import type { Requester } from './first-contacts.ts';
import { describeCatalog, findRelated, toReportRelated } from './find-related.ts';
import { MAX_LIVE_PROBE_MS, probeLive, type LiveObservation, type LiveResult } from './live-probe.ts';
import type { ReportContext, ReportOutcome } from './report-context.ts';
import { createRemovedProblem, readReportData, scoreAndReadSource, type ReportData } from './report-data.ts';

type Found = ReportData | ReportProblem;
type Endpoint = NonNullable<ReportSubject['endpoint']>;
type KnownSubject = ReportSubject & { readonly endpoint: Endpoint };

/**
 * Creates the unsigned trust report on one endpoint. If possible, the endpoint is probed and scored now. Otherwise the
 * report is made from stored data and states this. An endpoint outside the catalog is added to the catalog when it
 * responds with a payment challenge or with data. Concurrent calls for the same endpoint share one probe.
 *
 * @param request `resource` is the URL in any spelling. The report contains the URL in this spelling. A `full` report
 * also lists the compliance checks that passed; default `short`.
 * @param requester payer and client of the report; the first contacts with endpoints are limited per payer and per
 * client
 * @throws StoreError when the database fails. The request must not be charged then.
 */
export async function createTrustReport(
  context: ReportContext,
  { resource, detail = 'short' }: { readonly resource: string; readonly detail?: 'short' | 'full' },
  requester: Requester = { payer: '', client: '' },
): Promise<ReportOutcome> {
  const canonical = canonicalize(resource);
  if (!canonical.ok)
    return canonical.about === 'host'
      ? createHostProblem(resource, canonical.reason)
      : createInvalidUrl(canonical.reason);
  const found = await find({ ...context, requester }, canonical);
  if (found.kind === 'problem') return found;
  const { source, freshness, related = null } = found;
  const { baseUrl, vantage, now } = context;
  const report = assembleReport(source, {
    baseUrl,
    vantage,
    generatedAt: now(),
    resource,
    freshness,
    related,
    detail,
  });
  return { kind: 'report', report };
}

/** Placeholder such as `{tenant}`, which is not valid in a host name. */
const PLACEHOLDER = /\{[^{}]*\}|%7b/i;

function createHostProblem(resource: string, reason: string): ReportProblem {
  return PLACEHOLDER.test(resource)
    ? createOperationProblem(
        'template-unresolved',
        'The host of the URL contains a placeholder. Replace it with a value.',
      )
    : createOperationProblem('not-probeable', `It cannot be probed: ${reason}.`);
}

/** Result of the search for an endpoint in the catalog, with its stored data. */
interface Search {
  readonly subject: ReportSubject;
  /** Null if the endpoint is not in the catalog. */
  readonly found: Found | null;
}

/** Context of one requested report. */
type RequestContext = ReportContext & { readonly requester: Requester };

/**
 * Creates a function that runs a task about an endpoint. The task can include a probe. Concurrent requests for the same
 * endpoint of one database share the task.
 */
function createSharedTask<T>() {
  const tasksByDb = new WeakMap<Db, Map<string, Promise<T>>>();
  return (db: Db, endpointId: string, run: () => Promise<T>): Promise<T> => {
    const tasks = tasksByDb.get(db) ?? new Map<string, Promise<T>>();
    tasksByDb.set(db, tasks);
    const active = tasks.get(endpointId);
    if (active !== undefined) return active;
    const task = run().finally(() => tasks.delete(endpointId));
    tasks.set(endpointId, task);
    return task;
  };
}

const shareSearch = createSharedTask<Search>();
const shareContact = createSharedTask<Found>();

async function find(context: RequestContext, canonical: CanonicalResource): Promise<Found> {
  const run = () => searchCatalog(context, canonical);
  const { subject, ...search } = await shareSearch(context.db, canonical.id, run);
  const found = search.found ?? (await findUnknown(context, canonical, subject.adoptions));
  const related = findRelated(canonical, subject.related);
  if (found.kind !== 'problem') return { ...found, related: toReportRelated(related, context.baseUrl) };
  if (search.found !== null || !UNKNOWN_CODES.has(found.code)) return found;
  return { ...found, detail: `${found.detail}${await describeCatalog(context, canonical, related)}` };
}

async function searchCatalog(context: ReportContext, canonical: CanonicalResource): Promise<Search> {
  const { id: endpointId, host, resource } = canonical;
  const now = context.now();
  const subject = await readReportSubject(context.db, {
    endpointId,
    host,
    pathUrl: removeQuery(resource),
    now,
    provisionalUntil: now + PROVISIONAL_ADOPTION_MS,
  });
  const { endpoint, optedOutAt } = subject;
  if (endpoint !== null)
    return { subject, found: await findKnown(context, canonical, { ...subject, endpoint }) };
  return { subject, found: optedOutAt === null ? null : createRemovedProblem() };
}

/**
 * Probes and adopts an endpoint outside the catalog. The limits of first contacts (first probes of such endpoints)
 * apply to each request, so the refusal of one payer is not shared with another payer.
 */
async function findUnknown(
  context: RequestContext,
  canonical: CanonicalResource,
  adoptions: number,
): Promise<Found> {
  const { db, firstContacts, requester } = context;
  const problem = await checkAdoptable(context, canonical, adoptions);
  if (problem !== null) return problem;
  const contact = () => shareContact(db, canonical.id, () => adopt(context, canonical));
  return firstContacts?.run({ ...requester, host: canonical.host }, contact) ?? contact();
}

/** Codes of the problems of a URL that is not in the catalog. */
const UNKNOWN_CODES: ReadonlySet<ReportProblem['code']> = new Set([
  'unknown-resource',
  'template-unresolved',
  'not-probeable',
]);

async function findKnown(
  context: ReportContext,
  { id, host, resource }: CanonicalResource,
  subject: KnownSubject,
): Promise<Found> {
  const { hostSuffix, mayProbe } = context;
  const { endpoint } = subject;
  if (endpoint.removed) return createRemovedProblem();
  if (endpoint.resource !== resource) {
    return createOperationProblem(
      'not-probeable',
      'Another URL has the same id in the catalog, so this one cannot be added.',
    );
  }
  const known = { context, subject, endpointId: id };
  const { probeUrl: url } = endpoint;
  if (endpoint.templated || url === null) return readStoredReportData(known, TEMPLATE);
  const isOutside = hostSuffix !== null && !host.endsWith(hostSuffix);
  if (isOutside || (mayProbe !== undefined && !(await mayProbe()))) {
    return readStoredReportData(known, NOT_ALLOWED);
  }
  return toReportData(known, await probeLive(context, { ...endpoint, endpointId: id, url }));
}

interface KnownEndpoint {
  readonly context: ReportContext;
  readonly subject: ReportSubject;
  readonly endpointId: string;
}

async function toReportData(known: KnownEndpoint, result: LiveResult): Promise<Found> {
  switch (result.kind) {
    case 'rate-limited':
      return readStoredReportData(known, PAUSED);
    case 'own-failure':
      return readStoredReportData(known, OWN_FAILURE, 'self-failure');
    case 'late':
      // The late result is recorded for the next report. An error is ignored, because no request waits for this result.
      result.later
        .then((late) => (late.kind === 'observed' ? recordAndRead(known, late) : null))
        .catch(() => undefined);
      return readStoredReportData(known, TOO_SLOW);
    case 'observed':
      return recordAndRead(known, result);
  }
}

async function recordAndRead(
  { context, subject }: KnownEndpoint,
  observation: LiveObservation,
): Promise<Found> {
  const { db, now } = context;
  await recordProbe(observation.observed, (observed) => recordLiveProbe(db, now(), observed));
  return readReportData(context, observation, subject.source);
}

/** Reasons without a result of a live probe. */
const TEMPLATE = 'A URL with placeholders is not probed live.';
const NOT_ALLOWED = 'This service may not probe the endpoint at present.';
const PAUSED = 'The host requested a pause, or its rate limit is exhausted, so no live probe was sent.';
const OWN_FAILURE = 'The live probe failed because of this service, and not because of the endpoint.';
const TOO_SLOW = `The live probe did not finish within ${MAX_LIVE_PROBE_MS / 1_000} seconds.`;

/** Returns the data of the latest score for a report. An endpoint without a score is scored first. */
async function readStoredReportData(
  { context, subject, endpointId }: KnownEndpoint,
  reason: string,
  outcome: ReportFreshness['outcome'] = null,
): Promise<Found> {
  const source = subject.source ?? (await scoreAndReadSource(context, endpointId));
  if (source === null) return createRemovedProblem();
  return { kind: 'report-data', source, freshness: { ...toStoredFreshness(source, reason), outcome } };
}
