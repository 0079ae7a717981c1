import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import type { TrustReport } from '@touchstone/contract';
import { UNLIMITED_TURN, type Turn } from '@touchstone/payment';
import { readReportSubject, recordLiveProbe, type Db, type ReportSubject } from '@touchstone/store';
import type { ReportFacts } from '@touchstone/trust';
import { describeInvalidResource } from '../invalid-resource.ts';
import { recordProbe } from '../probing/record.ts';
import { adopt, checkAdoptable } from './adopt.ts';
import { PROVISIONAL_ADOPTION_MS } from './expire-adoptions.ts';
import type { Requester } from './first-contacts.ts';
import { findRelated, removeQuery, toReportRelated } from './find-related.ts';
import { probeLive, type LiveObservation, type LiveResult, type LiveTarget } from './live-probe.ts';
import type { ReportContext, ReportOutcome, ReportProblem } from './report-context.ts';
import {
  createProblem,
  createRemovedProblem,
  isScored,
  readFindings,
  scoreAndReadSource,
  type Findings,
} from './report-findings.ts';
import { toReport, toStoredFreshness } from './to-report.ts';

type Found = Findings | ReportProblem;
type Endpoint = NonNullable<ReportSubject['endpoint']>;
/** Purchase of a report: its payer and client, and its turn in the queue of purchases. */
export interface ReportPurchase extends Requester {
  readonly turn: Turn;
}

/** Purchase that does not run in a queue. */
const UNLIMITED: ReportPurchase = { payer: '', client: '', turn: UNLIMITED_TURN };

type KnownSubject = ReportSubject & { readonly endpoint: Endpoint };

/**
 * Creates the unsigned trust report on one endpoint. If possible, the endpoint is probed and scored now. Otherwise the
 * report is made from stored data and states this. An endpoint outside the catalog is added to the catalog when it
 * responds with a payment challenge or with data. Concurrent calls for the same endpoint share one probe. The purchase
 * does not hold its turn during the probe.
 *
 * @param request `resource` is the URL in any spelling. The report contains the URL in this spelling. A `full` report
 * also lists the compliance checks that passed; default `short`.
 * @throws StoreError when the database fails. The request must not be charged then.
 */
export async function createTrustReport(
  context: ReportContext,
  { resource, detail = 'short' }: { readonly resource: string; readonly detail?: 'short' | 'full' },
  purchase: ReportPurchase = UNLIMITED,
): Promise<ReportOutcome> {
  const canonical = canonicalize(resource);
  if (!canonical.ok)
    return canonical.about === 'host'
      ? createHostProblem(resource, canonical.reason)
      : createInvalidUrlProblem(canonical.reason);
  const found = await find({ ...context, purchase }, canonical);
  if (found.kind === 'problem') return found;
  const { source, freshness, related = null } = found;
  const { baseUrl, vantage, now } = context;
  const report = toReport(source, {
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
    ? createProblem(
        'template-unresolved',
        'The host of the URL contains a placeholder. Replace it with a value.',
      )
    : createProblem('not-probeable', `It cannot be probed: ${reason}.`);
}

function createInvalidUrlProblem(reason: string): ReportProblem {
  const { detail, errors } = describeInvalidResource(reason);
  return { ...createProblem('invalid-request', detail), errors };
}

/** Result of the search for an endpoint in the catalog, with its stored data. */
interface Search {
  readonly subject: ReportSubject;
  /** Null if the endpoint is not in the catalog. */
  readonly found: Found | null;
}

const activeSearches = new WeakMap<Db, Map<string, Promise<Search>>>();
const activeContacts = new WeakMap<Db, Map<string, Promise<Found>>>();

/** Context of a report, and its purchase. */
interface PurchaseContext extends ReportContext {
  readonly purchase: ReportPurchase;
}

/** Runs `search` once for all concurrent requests for the same endpoint. Only the first one holds its turn. */
function share<T>(
  searchesByDb: WeakMap<Db, Map<string, Promise<T>>>,
  { db, purchase, endpointId }: Pick<PurchaseContext, 'db' | 'purchase'> & { readonly endpointId: string },
  search: () => Promise<T>,
): Promise<T> {
  const searches = searchesByDb.get(db) ?? new Map<string, Promise<T>>();
  searchesByDb.set(db, searches);
  const active = searches.get(endpointId);
  if (active !== undefined) return purchase.turn.release(() => active);
  const started = search().finally(() => searches.delete(endpointId));
  searches.set(endpointId, started);
  return started;
}

async function find(context: PurchaseContext, canonical: CanonicalResource): Promise<Found> {
  const { id: endpointId } = canonical;
  const { subject, ...search } = await share(activeSearches, { ...context, endpointId }, () =>
    searchCatalog(context, canonical),
  );
  const found = search.found ?? (await findUnknown(context, canonical, subject.adoptions));
  const related = toReportRelated(findRelated(canonical, subject.related), context.baseUrl);
  return found.kind === 'problem' ? nameRelated(found, related) : { ...found, related };
}

async function searchCatalog(context: PurchaseContext, canonical: CanonicalResource): Promise<Search> {
  const { db, now } = context;
  const subject = await readReportSubject(db, {
    endpointId: canonical.id,
    host: canonical.host,
    pathUrl: removeQuery(canonical.resource),
    now: now(),
    provisionalUntil: now() + PROVISIONAL_ADOPTION_MS,
  });
  const { endpoint } = subject;
  return { subject, found: endpoint && (await findKnown(context, canonical, { ...subject, endpoint })) };
}

/**
 * Probes and adopts an endpoint outside the catalog, without holding the turn of the purchase. The limits of first
 * contacts apply to each request, so the refusal of one payer is not shared with another.
 */
async function findUnknown(
  context: PurchaseContext,
  canonical: CanonicalResource,
  adoptions: number,
): Promise<Found> {
  const { firstContacts, purchase } = context;
  const problem = await checkAdoptable(context, canonical, adoptions);
  if (problem !== null) return problem;
  const contact = () =>
    share(activeContacts, { ...context, endpointId: canonical.id }, () => adopt(context, canonical));
  return purchase.turn.release(() => firstContacts?.run(purchase, contact) ?? contact());
}

/** Adds the related endpoint to the problem of a URL that is not in the catalog, because the buyer may mean that one. */
function nameRelated(problem: ReportProblem, related: TrustReport['related']): ReportProblem {
  if (related === null || problem.code !== 'unknown-resource') return problem;
  const detail = `${problem.detail} The catalog contains a URL that differs only by its query or by a filled-in template: ${related.endpointPage}`;
  return { ...problem, detail };
}

async function findKnown(
  context: PurchaseContext,
  { id, host, resource }: CanonicalResource,
  subject: KnownSubject,
): Promise<Found> {
  const { hostSuffix, mayProbe } = context;
  const { endpoint } = subject;
  if (endpoint.removed) return createRemovedProblem();
  if (endpoint.resource !== resource) {
    return createProblem(
      'not-probeable',
      'Another URL has the same id in the catalog, so this one cannot be added.',
    );
  }
  const known = { context, subject, endpointId: id };
  if (endpoint.templated || endpoint.probeUrl === null) return readStoredFindings(known, 'template');
  const isProbedHost = hostSuffix === null || host.endsWith(hostSuffix);
  if (!isProbedHost || (mayProbe !== undefined && !(await mayProbe()))) {
    return readStoredFindings(known, 'stored');
  }
  const target = toLiveTarget(id, endpoint, endpoint.probeUrl);
  const result = await context.purchase.turn.release(() => probeLive(context, target));
  return toFindings(known, result);
}

function toLiveTarget(endpointId: string, endpoint: Endpoint, url: string): LiveTarget {
  const { host, declaredMethod, challengedMethod } = endpoint;
  return { endpointId, host, url, declaredMethod, challengedMethod };
}

interface KnownEndpoint {
  readonly context: ReportContext;
  readonly subject: ReportSubject;
  readonly endpointId: string;
}

async function toFindings(known: KnownEndpoint, result: LiveResult): Promise<Found> {
  const { context } = known;
  switch (result.kind) {
    case 'rate-limited':
      return readStoredFindings(known, 'stored');
    case 'own-failure':
      return readStoredFindings(known, 'own-failure');
    case 'late':
      // The late result is recorded for the next report. An error is ignored, because no request waits for this result.
      result.later
        .then((late) => (late.kind === 'observed' ? recordAndRead(context, late) : null))
        .catch(() => undefined);
      return readStoredFindings(known, 'too-slow');
    case 'observed':
      return recordAndRead(context, result);
  }
}

async function recordAndRead(context: ReportContext, observation: LiveObservation): Promise<Found> {
  const { db, now } = context;
  await recordProbe(observation.observed, (observed) => recordLiveProbe(db, now(), observed));
  return readFindings(context, observation);
}

/** Returns the data of the last score. An endpoint without a score is scored first. */
async function readStoredFindings(
  { context, subject, endpointId }: KnownEndpoint,
  reason: NonNullable<ReportFacts['freshness']['notLiveReason']>,
): Promise<Found> {
  const source = isScored(subject.source) ? subject.source : await scoreAndReadSource(context, endpointId);
  if (source === null) return createRemovedProblem();
  return { kind: 'findings', source, freshness: toStoredFreshness(source, reason) };
}
