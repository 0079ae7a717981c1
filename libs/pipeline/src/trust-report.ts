import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import { readReportSubject, recordLive, type Db, type ReportSubject } from '@touchstone/store';
import type { ReportFacts } from '@touchstone/trust';
import { adopt } from './adopt.ts';
import { lookLive, type LiveTarget, type Look, type Sight } from './live-probe.ts';
import { recordOne } from './record.ts';
import type { ReportContext, ReportOutcome, ReportProblem } from './report-context.ts';
import { findingsOf, problem, removed, scoredSource, type Findings } from './report-findings.ts';
import { notLive, toReport } from './to-report.ts';

type Found = Findings | ReportProblem;
type Endpoint = NonNullable<ReportSubject['endpoint']>;

/**
 * The trust report on one endpoint, not signed: probed now and scored anew where it can be probed, else from what is
 * stored of it, which it says. An endpoint that nobody knows is adopted when it answers. Calls for the same endpoint that
 * come while a first one is under way share its probe.
 *
 * @param request `resource` in any spelling of the URL; the report repeats it
 * @throws StoreError when the database fails; nothing is to be charged then either
 */
export async function trustReport(
  context: ReportContext,
  { resource }: { readonly resource: string },
): Promise<ReportOutcome> {
  const canonical = canonicalize(resource);
  if (!canonical.ok)
    return canonical.about === 'host' ? notPublic(resource, canonical.reason) : unreadable(canonical.reason);
  const found = await sharing(context.db, canonical.id, () => find(context, canonical));
  if (found.kind === 'problem') return found;
  const { source, freshness } = found;
  const { baseUrl, now } = context;
  const report = toReport(source, { baseUrl, generatedAt: now(), resource, freshness });
  return { kind: 'report', report };
}

/** Braces in a host are no name of one. */
const PLACEHOLDER = /\{[^{}]*\}|%7b/i;

function notPublic(resource: string, reason: string): ReportProblem {
  return PLACEHOLDER.test(resource)
    ? problem('template-unresolved', 'The URL has a placeholder in its host. Put a value in its place.')
    : problem('not-probeable', `It cannot be probed: ${reason}.`);
}

function unreadable(reason: string): ReportProblem {
  const message = `Give the full https URL of one endpoint: ${reason}.`;
  return { ...problem('invalid-request', message), errors: [{ path: 'resource', message }] };
}

const underWay = new WeakMap<Db, Map<string, Promise<Found>>>();

/** What several want to know of one endpoint at the same time is found out once. */
function sharing(db: Db, endpointId: string, findOut: () => Promise<Found>): Promise<Found> {
  const ofDb = underWay.get(db) ?? new Map<string, Promise<Found>>();
  underWay.set(db, ofDb);
  const known = ofDb.get(endpointId);
  if (known !== undefined) return known;
  const finding = findOut().finally(() => ofDb.delete(endpointId));
  ofDb.set(endpointId, finding);
  return finding;
}

async function find(context: ReportContext, canonical: CanonicalResource): Promise<Found> {
  const { db, now, hostSuffix, mayProbe } = context;
  const { id, host, resource } = canonical;
  const subject = await readReportSubject(db, { endpointId: id, host, now: now() });
  const { endpoint } = subject;
  if (endpoint === null) return adopt(context, canonical, subject.adoptions);
  if (endpoint.removed) return removed();
  if (endpoint.resource !== resource) {
    return problem('not-probeable', 'Another address has the same id in the catalog, so it cannot be added.');
  }
  const stored = { context, subject, endpointId: id };
  if (endpoint.templated || endpoint.probeUrl === null) return fromStored(stored, 'template');
  const isOurs = hostSuffix === null || host.endsWith(hostSuffix);
  if (!isOurs || (mayProbe !== undefined && !(await mayProbe()))) return fromStored(stored, 'stored');
  const look = await lookLive(context, targetOf(id, endpoint, endpoint.probeUrl));
  return fromLook(stored, look);
}

function targetOf(endpointId: string, endpoint: Endpoint, url: string): LiveTarget {
  const { host, declaredMethod, challengedMethod } = endpoint;
  return { endpointId, host, url, declaredMethod, challengedMethod };
}

interface Known {
  readonly context: ReportContext;
  readonly subject: ReportSubject;
  readonly endpointId: string;
}

async function fromLook(known: Known, look: Look): Promise<Found> {
  const { context } = known;
  switch (look.kind) {
    case 'held':
      return fromStored(known, 'stored');
    case 'own-failure':
      return fromStored(known, 'own-failure');
    case 'late':
      // What it says in the end is for the next report. Nobody waits for it, so nobody hears of its failure.
      look.later
        .then((late) => (late.kind === 'seen' ? fromSight(context, late) : null))
        .catch(() => undefined);
      return fromStored(known, 'too-slow');
    case 'seen':
      return fromSight(context, look);
  }
}

async function fromSight(context: ReportContext, sight: Sight): Promise<Found> {
  const { db, now } = context;
  await recordOne(sight.observed, (observed) => recordLive(db, now(), observed));
  return findingsOf(context, sight);
}

/** From the last score; from one that is made now where there is none yet. */
async function fromStored(
  { context, subject, endpointId }: Known,
  reason: NonNullable<ReportFacts['freshness']['notLiveReason']>,
): Promise<Found> {
  const source = subject.source ?? (await scoredSource(context, endpointId));
  if (source === null) return removed();
  return { kind: 'findings', source, freshness: notLive(source, reason) };
}
