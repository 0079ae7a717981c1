import { canonicalize, type CanonicalResource } from '@touchstone/catalog';
import { holdAdoption, readReportSubject, recordLive, type Db, type ReportSubject } from '@touchstone/store';
import type { ReportFacts } from '@touchstone/trust';
import { adopt } from './adopt.ts';
import { undoable, undoTogether } from './adoption-undo.ts';
import { lookLive, type LiveTarget, type Look, type Sight } from './live-probe.ts';
import { recordOne } from './record.ts';
import type { ReportContext, ReportOutcome, ReportProblem } from './report-context.ts';
import { findingsOf, problem, removed, scoredSource, type Findings } from './report-findings.ts';
import { notLive, toReport } from './to-report.ts';

type Found = Findings | ReportProblem;
type Endpoint = NonNullable<ReportSubject['endpoint']>;
type KnownSubject = ReportSubject & { readonly endpoint: Endpoint };

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
  const { found, undo } = await sharing(context.db, canonical.id, () => find(context, canonical));
  if (found.kind === 'problem') return found;
  const { source, freshness } = found;
  const { baseUrl, now } = context;
  const report = toReport(source, { baseUrl, generatedAt: now(), resource, freshness });
  return { kind: 'report', report, undo };
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

interface Search {
  readonly outcome: Promise<{ readonly found: Found; readonly undo: () => (() => Promise<void>) | null }>;
  /** Who waits for it. */
  sharers: number;
}

const underWay = new WeakMap<Db, Map<string, Search>>();

/** What several want to know of one endpoint at the same time is found out once. Each gets a way back of its own. */
async function sharing(
  db: Db,
  endpointId: string,
  findOut: () => Promise<Found>,
): Promise<{ readonly found: Found; readonly undo: (() => Promise<void>) | null }> {
  const ofDb = underWay.get(db) ?? new Map<string, Search>();
  underWay.set(db, ofDb);
  const search = ofDb.get(endpointId) ?? begin();
  search.sharers += 1;
  const { found, undo } = await search.outcome;
  return { found, undo: undo() };

  function begin(): Search {
    const begun: Search = {
      sharers: 0,
      outcome: findOut()
        // From here on nobody joins it.
        .finally(() => ofDb.delete(endpointId))
        .then((found) => {
          const undo = found.kind === 'findings' ? found.undo : undefined;
          return { found, undo: undo === undefined ? () => null : undoTogether(undo, begun.sharers) };
        }),
    };
    ofDb.set(endpointId, begun);
    return begun;
  }
}

async function find(context: ReportContext, canonical: CanonicalResource): Promise<Found> {
  const { db, now } = context;
  const { id, host } = canonical;
  const subject = await readReportSubject(db, { endpointId: id, host, now: now() });
  const { endpoint } = subject;
  if (endpoint === null) return adopt(context, canonical, subject.adoptions);
  const hold = endpoint.undecided ? await holdAdoption(db, id, now()) : 'kept';
  // Whoever brought it has not paid for it.
  if (hold === 'gone') return adopt(context, canonical, subject.adoptions);
  const report = () => findKnown(context, canonical, { ...subject, endpoint });
  return hold === 'held' ? undoable(context, id, report) : report();
}

async function findKnown(
  context: ReportContext,
  { id, host, resource }: CanonicalResource,
  subject: KnownSubject,
): Promise<Found> {
  const { hostSuffix, mayProbe } = context;
  const { endpoint } = subject;
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
