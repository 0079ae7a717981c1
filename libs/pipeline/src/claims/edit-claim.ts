import { canonicalize } from '@touchstone/catalog';
import { DAY_MS, HOUR_MS } from '@touchstone/common';
import type { ClaimEdited } from '@touchstone/contract';
import type { ClaimEditRequest } from '@touchstone/contract/operations/claim/settings';
import { normalizeDeliveryUrl } from '@touchstone/contract/operations/watch/delivery-url';
import {
  editClaim as storeEdit,
  findClaim,
  readHostEndpoints,
  type ClaimEdit,
  type NewMaintenanceWindow,
  type NewStatement,
  type StoredClaim,
} from '@touchstone/store';
import { toClaimTag } from '../pages.ts';
import { limitCalls } from '../limit-calls.ts';
import { createInvalid, createInvalidUrl, createOperationProblem } from '../problem.ts';
import { toClaim, type ClaimContext, type ClaimProblem } from './claim-context.ts';
import { findMaintenanceMistake } from './plan-maintenance.ts';
import { planNotices, type NoticesRequest } from './plan-notices.ts';
import { findStatementMistake } from './plan-statements.ts';
import type { WatchContext, WatchProblem } from '../watches/watch-context.ts';

/** Maximum number of edits of one claim per hour. */
const toEditLimit = ({ id }: StoredClaim) => ({
  ...{ key: `edit-claim:${id}`, limit: 30, windowSeconds: HOUR_MS / 1000 },
  reason: 'A claim can be edited at most 30 times per hour.',
});
/** Maximum number of changes of the opt-out of one host in 24 hours. Each change scores all endpoints of the host. */
const toOptOutLimit = ({ host }: StoredClaim) => ({
  ...{ key: `opt-out:${host}`, limit: 4, windowSeconds: DAY_MS / 1000 },
  reason: 'The opt-out of a host can change at most 4 times in 24 hours.',
});

/** Dependencies of an edit. `watches`: context of the delivery of notices. */
interface EditContext extends Pick<ClaimContext, 'db' | 'now' | 'onChanged'> {
  readonly watches: WatchContext;
}

/** Edit of a claim, and the client that sent it, such as an IP address. */
interface EditRequest {
  readonly edit: ClaimEditRequest;
  readonly client: string;
}

type EditProblem = ClaimProblem | WatchProblem;

/**
 * Changes what an active claim gives: contact, opt-out, statements and maintenance windows. A request with a mistake
 * changes nothing. Nothing of it changes a score.
 *
 * @param claim Claim whose owner sent the request.
 * @returns The claim after the change.
 */
export async function editClaim(
  context: EditContext,
  claim: StoredClaim,
  { edit: request, client }: EditRequest,
): Promise<{ readonly kind: 'result'; readonly body: ClaimEdited } | EditProblem> {
  if (claim.status !== 'active') return NOT_ACTIVE;
  const limited = await limitCalls(context, toEditLimit(claim));
  if (limited !== null) return limited;
  const edit = await resolveEdit(context, claim, request);
  if ('kind' in edit) return edit;
  const mistake = await findMistake(context, claim, edit);
  if (mistake !== null) return mistake;
  // The test message is sent last, so that a request with a mistake sends none.
  const planned = edit.notices && (await planNotices(context.watches, claim, { ...edit.notices, client }));
  if (planned?.kind === 'problem') return planned;
  // Only requests that change the opt-out count toward its limit.
  const isOptOutChange = edit.optOut !== undefined && edit.optOut !== (claim.settings.optedOutAt !== null);
  const optOutLimited = isOptOutChange ? await limitCalls(context, toOptOutLimit(claim)) : null;
  if (optOutLimited !== null) return optOutLimited;
  const { notices: _, ...others } = edit;
  const change = edit.notices === undefined ? others : { ...others, notices: planned?.notices ?? null };
  if (!(await storeEdit(context.db, { id: claim.id, edit: change, now: context.now() }))) return NOT_ACTIVE;
  await context.onChanged([toClaimTag(claim.host)]);
  const edited = await toClaim(context.db, (await findClaim(context.db, claim.id)) ?? claim);
  return { kind: 'result', body: { ...edited, webhook_secret: planned?.webhookSecret ?? null } };
}

/** Problem of a claim that has ended. */
export const NOT_ACTIVE = createOperationProblem(
  'claim-not-verified',
  'The claim has ended, so it gives nothing. Publish its line, and verify it again with POST /v1/claim/{id}/verify.',
);

/** Replaces the URLs of a request by the ids of endpoints of the claimed host. */
async function resolveEdit(
  { db }: EditContext,
  { host }: StoredClaim,
  { contact, opt_out, statements, maintenance, notices }: ClaimEditRequest,
): Promise<ResolvedEdit | ClaimProblem> {
  const named = [
    ...(statements ?? []).map(({ resource }, index) => ({ resource, path: `statements.${index}.resource` })),
    ...(maintenance ?? []).flatMap(({ resource }, index) =>
      resource === null ? [] : [{ resource, path: `maintenance.${index}.resource` }],
    ),
    ...(notices?.resources ?? []).map((resource, index) => ({
      resource,
      path: `notices.resources.${index}`,
    })),
  ];
  const ids = new Map<string, string>();
  for (const { resource, path } of named) {
    const canonical = canonicalize(resource);
    if (!canonical.ok) return createInvalidUrl(canonical.reason, path);
    if (canonical.host !== host)
      return createInvalid(path, `\`${path}\` must be an endpoint of the claimed host ${host}.`);
    ids.set(resource, canonical.id);
  }
  const known = await readHostEndpoints(db, host, [...new Set(ids.values())]);
  const unknown = named.find(({ resource }) => !known.has(ids.get(resource) ?? ''));
  if (unknown !== undefined)
    return createOperationProblem(
      'unknown-resource',
      `The URL in \`${unknown.path}\` is not in the catalog. Send the URL as its page shows it.`,
    );
  const toId = (resource: string): string => ids.get(resource) ?? '';
  return {
    ...(contact === undefined ? {} : { contact }),
    ...(opt_out === undefined ? {} : { optOut: opt_out }),
    ...(notices === undefined ? {} : { notices: notices && toNoticesRequest(notices, toId) }),
    ...(statements === undefined
      ? {}
      : {
          statements: statements.map(({ resource, subject, text }): NewStatement => ({
            endpointId: toId(resource),
            subject,
            text,
          })),
        }),
    ...(maintenance === undefined
      ? {}
      : {
          maintenance: maintenance.map(({ resource, starts_at, ends_at, text }): NewMaintenanceWindow => ({
            endpointId: resource === null ? null : toId(resource),
            ...{ startsAt: starts_at, endsAt: ends_at, text },
          })),
        }),
  };
}

/** Edit with the ids of endpoints. The URL of the notices is not tested yet. */
type ResolvedEdit = Omit<ClaimEdit, 'notices'> & { readonly notices?: NoticesRequest | null };

function toNoticesRequest(
  { webhook_url, slack_url, resources }: NonNullable<ClaimEditRequest['notices']>,
  toId: (resource: string) => string,
): NoticesRequest {
  return {
    kind: slack_url === undefined ? 'webhook' : 'chat',
    url: normalizeDeliveryUrl(slack_url ?? webhook_url ?? ''),
    endpointIds: resources === undefined ? null : [...new Set(resources.map(toId))],
  };
}

async function findMistake(
  { db, now }: EditContext,
  { settings }: StoredClaim,
  { statements, maintenance }: ResolvedEdit,
): Promise<ClaimProblem | null> {
  if (maintenance !== undefined) {
    const mistake = findMaintenanceMistake(settings.maintenance, maintenance, now());
    if (mistake !== null) return mistake;
  }
  return statements === undefined ? null : findStatementMistake(db, settings.statements, statements);
}
