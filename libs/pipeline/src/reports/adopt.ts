import {
  canonicalize,
  computeProbeOffsetSeconds,
  toStorableText,
  type CanonicalResource,
} from '@touchstone/catalog';
import { MINUTE_MS } from '@touchstone/common';
import { TEXT_LIMITS } from '@touchstone/contract';
import { describeFailure, getRedirectTarget, type Probe } from '@touchstone/probe';
import { adoptEndpoint, expireAdoptions, recordLiveProbe, type AdoptedEndpoint } from '@touchstone/store';
import { formatCause } from '@touchstone/trust';
import { PROBE_INTERVAL_SECONDS, type PipelineContext } from '../context.ts';
import { toPageTags } from '../pages.ts';
import { createOperationProblem, type ReportProblem } from '../problem.ts';
import { readProbeChallenge, type ObservedProbe } from '../probing/observe.ts';
import { recordProbe } from '../probing/record.ts';
import { runStep, type StepContext } from '../steps.ts';
import { findPlaceholder } from './find-related.ts';
import { probeLive, type LiveObservation } from './live-probe.ts';
import type { ReportContext } from './report-context.ts';
import { describeRedirectTarget, readReportData, type ReportData } from './report-data.ts';

/**
 * Maximum number of endpoints of one host that are adopted per day. The number is enough for all endpoints of a new
 * service. The limit prevents that a host with unlimited URLs fills the catalog. Each adopted endpoint costs 48 probes
 * a day.
 */
export const MAX_ADOPTIONS_PER_HOST = 20;

/**
 * Duration of a provisional adoption, in milliseconds. A refused payment ends the adoption earlier. An open payment
 * extends the adoption.
 */
export const PROVISIONAL_ADOPTION_MS = 15 * MINUTE_MS;

/**
 * Probes an endpoint outside the catalog once. If the endpoint responds with a payment challenge or with data, it is
 * adopted: it is added to the catalog with its first observation and score. After any other response, and without a
 * response, nothing is stored. The adoption is provisional: `expireAdoptions` deletes the endpoint unless the report is
 * paid.
 */
export async function adopt(
  context: ReportContext,
  canonical: CanonicalResource,
): Promise<ReportData | ReportProblem> {
  const { id, host, resource } = canonical;
  const result = await probeLive(context, {
    endpointId: id,
    host,
    url: resource,
    declaredMethod: null,
    challengedMethod: null,
    settledThrough: [],
  });
  switch (result.kind) {
    case 'rate-limited':
      return {
        ...createOperationProblem(
          'not-probeable',
          'The host of the endpoint requested a pause, or its rate limit is exhausted. Try again in a few minutes.',
        ),
        isProbeRefused: true,
      };
    case 'own-failure':
      return createOperationProblem(
        'internal',
        'Our own network failed during the probe. Try again in a minute.',
      );
    case 'late':
      return createOperationProblem('not-probeable', 'The probe did not finish within 5 seconds.');
    case 'observed':
      return (
        (await findAdoptionObstacle(context, canonical, result.probe)) ??
        storeAdoption(context, canonical, result)
      );
  }
}

/** Returns the reason why an endpoint with this probe result is not adopted, or null if it is adopted. */
async function findAdoptionObstacle(
  context: ReportContext,
  { id }: CanonicalResource,
  probe: Probe,
): Promise<ReportProblem | null> {
  const { outcome, httpStatus } = probe;
  if (outcome === 'challenged' || outcome === 'free') return null;
  const redirect = await describeRedirect(context, probe, id);
  const failure = describeFailure(probe);
  const response =
    failure === null
      ? `HTTP ${String(httpStatus)}, which requires another authorization`
      : formatCause(failure);
  if (httpStatus === null) return createOperationProblem('not-probeable', `${response}.${redirect}`);
  return createOperationProblem(
    'unknown-resource',
    `The endpoint is not in the catalog, and it responded neither with a payment challenge nor with data: ${response}.${redirect}`,
  );
}

/** Returns a sentence on what the catalog knows about the target of a redirect; empty without a redirect. */
async function describeRedirect(context: ReportContext, probe: Probe, endpointId: string): Promise<string> {
  const target = canonicalize(getRedirectTarget(probe) ?? '');
  if (!target.ok || target.id === endpointId) return '';
  const found = await describeRedirectTarget(context, probe, endpointId);
  if (found !== null) return ` ${found}`;
  const isAddable = target.resource.startsWith('https:') && findPlaceholder(target) === null;
  const advice = isAddable ? ' Request a report on the target if you want to pay there.' : '';
  return ` The catalog does not contain the target of the redirect.${advice}`;
}

/**
 * Returns the reason why an unknown URL must not be probed, or null if it may be probed.
 *
 * @param adoptions number of endpoints of the same host that were adopted within the last day
 */
export async function checkAdoptable(
  { hostSuffix, mayProbe }: ReportContext,
  canonical: CanonicalResource,
  adoptions: number,
): Promise<ReportProblem | null> {
  const { resource, host } = canonical;
  const placeholder = findPlaceholder(canonical);
  if (placeholder !== null) {
    return createOperationProblem(
      'template-unresolved',
      `The URL contains ${placeholder} and is not in the catalog. Replace each placeholder with a value.`,
    );
  }
  if (!resource.startsWith('https:')) {
    return createOperationProblem(
      'not-probeable',
      'The endpoint is not in the catalog, and only https URLs can be added.',
    );
  }
  if (hostSuffix !== null && !host.endsWith(hostSuffix)) {
    return createOperationProblem(
      'not-probeable',
      `The endpoint is not in the catalog, and this installation probes only hosts that end with ${hostSuffix}.`,
    );
  }
  if (mayProbe !== undefined && !(await mayProbe())) {
    return createOperationProblem(
      'not-probeable',
      'The endpoint is not in the catalog, and probes are paused. Try again later.',
    );
  }
  if (adoptions >= MAX_ADOPTIONS_PER_HOST) return createHostLimitProblem(host);
  return null;
}

function createHostLimitProblem(host: string): ReportProblem {
  return createOperationProblem(
    'not-probeable',
    `The endpoint is not in the catalog, and ${MAX_ADOPTIONS_PER_HOST} endpoints of ${host} were already added within 24 hours. Try again later.`,
  );
}

async function storeAdoption(
  context: ReportContext,
  canonical: CanonicalResource,
  observation: LiveObservation,
): Promise<ReportData | ReportProblem> {
  const { db, now } = context;
  const endpoint = toAdoptedEndpoint(canonical, observation.probe);
  const outcome = await recordProbe(observation.observed, (observed: ObservedProbe) =>
    adoptEndpoint(db, now(), {
      endpoint,
      ...observed,
      hostLimit: MAX_ADOPTIONS_PER_HOST,
      provisionalUntil: now() + PROVISIONAL_ADOPTION_MS,
    }),
  );
  if (outcome === 'full') return createHostLimitProblem(canonical.host);
  // The endpoint was added to the catalog during the probe, so this probe is recorded like every live probe.
  if (outcome === 'known') {
    await recordProbe(observation.observed, (observed) => recordLiveProbe(db, now(), observed));
  }
  return readReportData(context, observation, null);
}

function toAdoptedEndpoint({ id, resource, host, slug }: CanonicalResource, probe: Probe): AdoptedEndpoint {
  const challenge = readProbeChallenge(probe);
  const clean = (text: string | null | undefined, kind: keyof typeof TEXT_LIMITS): string | null =>
    text ? toStorableText(text, TEXT_LIMITS[kind]) || null : null;
  return {
    id,
    resource,
    host,
    slug,
    serviceName: clean(challenge?.serviceName, 'name'),
    description: clean(challenge?.description, 'description'),
    intervalSeconds: PROBE_INTERVAL_SECONDS,
    offsetSeconds: computeProbeOffsetSeconds(id, PROBE_INTERVAL_SECONDS),
  };
}

/** Maximum number of expired adoptions handled per run. Rate limits allow far fewer adoptions without payment. */
const MAX_EXPIRED_PER_RUN = 500;

/**
 * Deletes adopted endpoints whose report was not paid, and refreshes their pages. Endpoints with a settled payment stay
 * in the catalog. Endpoints with an open payment are checked again after 15 minutes.
 */
export function deleteUnpaidAdoptions(
  context: Pick<PipelineContext, 'db' | 'now' | 'onChanged'> & StepContext,
): Promise<{ readonly deleted: number }> {
  const { db, now, onChanged } = context;
  return runStep(context, 'delete unpaid adoptions', async () => {
    const deleted = await expireAdoptions(db, {
      now: now(),
      extendUntil: now() + PROVISIONAL_ADOPTION_MS,
      limit: MAX_EXPIRED_PER_RUN,
    });
    const endpointIds = deleted.map(({ endpointId }) => endpointId);
    await onChanged(toPageTags({ endpointIds, hosts: deleted.map(({ host }) => host) }));
    return { deleted: deleted.length };
  });
}
