import { probeOffsetSeconds, storableText, type CanonicalResource } from '@touchstone/catalog';
import { TEXT_LIMITS } from '@touchstone/contract';
import type { Outcome, Probe } from '@touchstone/probe';
import { adoptEndpoint, recordLive, type AdoptedEndpoint } from '@touchstone/store';
import { undoable } from './adoption-undo.ts';
import { PROBE_INTERVAL_SECONDS } from './context.ts';
import { lookLive, type Sight } from './live-probe.ts';
import { challengeOf, type Observed } from './observe.ts';
import { recordOne } from './record.ts';
import type { ReportContext, ReportProblem } from './report-context.ts';
import { findingsOf, problem, type Findings } from './report-findings.ts';

/**
 * Endpoints of one host that are adopted within a day: enough for a new service to be looked at in one go, and too few to
 * fill the catalog with the endless addresses of one host, each of which costs 48 probes a day.
 */
export const ADOPTIONS_PER_HOST = 20;

/**
 * Probes an endpoint that nobody has listed, once, and adopts it when it answers anything at all over HTTP: it is in the
 * catalog then, with its first observation and score, and the findings say how to take that back. Otherwise nothing is
 * stored.
 *
 * @param adoptions endpoints of its host that were adopted within a day
 */
export async function adopt(
  context: ReportContext,
  canonical: CanonicalResource,
  adoptions: number,
): Promise<Findings | ReportProblem> {
  const { id, host, resource } = canonical;
  const refusal = await refuse(context, canonical, adoptions);
  if (refusal !== null) return refusal;
  const look = await lookLive(context, {
    endpointId: id,
    host,
    url: resource,
    declaredMethod: null,
    challengedMethod: null,
  });
  switch (look.kind) {
    case 'held':
      return problem(
        'not-probeable',
        'Its host asked to be left alone, or is asked too often at present. Try again in some minutes.',
      );
    case 'own-failure':
      return problem('internal', 'Our own network failed while it was probed. Try again in a minute.');
    case 'late':
      return problem('not-probeable', 'It did not answer within 5 seconds.');
    case 'seen':
      return look.probe.httpStatus === null
        ? problem('not-probeable', whyUnanswered(look.probe.outcome))
        : store(context, canonical, look);
  }
}

/** Why an unknown address is not even asked; null where it is. */
async function refuse(
  { hostSuffix, mayProbe }: ReportContext,
  { resource, host, templated }: CanonicalResource,
  adoptions: number,
): Promise<ReportProblem | null> {
  if (templated) {
    return problem(
      'template-unresolved',
      'The URL has a placeholder and is not in the catalog. Put a value in its place.',
    );
  }
  if (!resource.startsWith('https:')) {
    return problem('not-probeable', 'It is not in the catalog, and only https addresses are taken into it.');
  }
  if (hostSuffix !== null && !host.endsWith(hostSuffix)) {
    return problem(
      'not-probeable',
      `It is not in the catalog, and this installation asks only hosts that end with ${hostSuffix}.`,
    );
  }
  if (mayProbe !== undefined && !(await mayProbe())) {
    return problem('not-probeable', 'It is not in the catalog, and nobody can be asked at present.');
  }
  if (adoptions >= ADOPTIONS_PER_HOST) return full(host);
  return null;
}

function full(host: string): ReportProblem {
  return problem(
    'not-probeable',
    `It is not in the catalog, and ${ADOPTIONS_PER_HOST} addresses of ${host} were taken into it today already. Try again tomorrow.`,
  );
}

/** In words of ours: what failed may carry text of strangers. */
function whyUnanswered(outcome: Outcome): string {
  switch (outcome) {
    case 'refused-address':
      return 'Its host leads to an address that is not public.';
    case 'dns-error':
      return 'Its host has no address.';
    case 'tls-error':
      return 'No secure connection could be made: its certificate is not valid for it, or not trusted.';
    case 'timeout':
      return 'It did not answer in time.';
    default:
      return 'It gave no HTTP answer.';
  }
}

async function store(
  context: ReportContext,
  canonical: CanonicalResource,
  sight: Sight,
): Promise<Findings | ReportProblem> {
  const { db, now } = context;
  const endpoint = endpointOf(canonical, sight.probe);
  const outcome = await recordOne(sight.observed, (observed: Observed) =>
    adoptEndpoint(db, now(), { endpoint, ...observed, hostLimit: ADOPTIONS_PER_HOST }),
  );
  if (outcome === 'full') return full(canonical.host);
  const find = async () => {
    // Where somebody else was faster, it was with a probe of their own.
    if (outcome !== 'adopted') await recordOne(sight.observed, (observed) => recordLive(db, now(), observed));
    return findingsOf(context, sight);
  };
  return outcome === 'known' ? find() : undoable(context, canonical.id, find);
}

function endpointOf({ id, resource, host, slug }: CanonicalResource, probe: Probe): AdoptedEndpoint {
  const said = challengeOf(probe);
  const clean = (text: string | null | undefined, kind: keyof typeof TEXT_LIMITS): string | null =>
    text ? storableText(text, TEXT_LIMITS[kind]) || null : null;
  return {
    id,
    resource,
    host,
    slug,
    serviceName: clean(said?.serviceName, 'name'),
    description: clean(said?.description, 'description'),
    intervalSeconds: PROBE_INTERVAL_SECONDS,
    offsetSeconds: probeOffsetSeconds(id, PROBE_INTERVAL_SECONDS),
  };
}
