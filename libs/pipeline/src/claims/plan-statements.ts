import { MAX_STATEMENTS_PER_ENDPOINT } from '@touchstone/contract/shared/claim-limits';
import { readEcosystemEvents, readReportSources, type Db, type NewStatement } from '@touchstone/store';
import { score } from '@touchstone/trust';
import pLimit from 'p-limit';
import { createInvalid } from '../problem.ts';

/** Maximum number of events of an endpoint about which statements are possible. */
const MAX_EVENTS = 50;
/** Maximum number of endpoints with new statements in one request, because the subjects of each are read. */
const MAX_ADDED_ENDPOINTS = 20;
/** Number of endpoints whose events are read at the same time. */
const CONCURRENCY = 4;

/**
 * Returns the first mistake of a complete list of statements, or null without a mistake. A new statement must be about
 * something that the endpoint has now: a flag, a failed compliance rule or a public event. A statement of the claim may
 * stay after its subject is gone.
 *
 * @param stated Statements of the claim.
 */
export async function findStatementMistake(
  db: Db,
  stated: readonly Pick<NewStatement, 'endpointId' | 'subject'>[],
  requested: readonly NewStatement[],
): Promise<ReturnType<typeof createInvalid> | null> {
  const keys = requested.map(toKey);
  const counts = new Map<string, number>();
  for (const [index, { endpointId }] of requested.entries()) {
    const count = (counts.get(endpointId) ?? 0) + 1;
    counts.set(endpointId, count);
    const path = `statements.${index}`;
    if (keys.indexOf(keys[index] ?? '') !== index)
      return createInvalid(
        path,
        `\`${path}\` has the endpoint and the subject of an earlier statement. Remove one.`,
      );
    if (count > MAX_STATEMENTS_PER_ENDPOINT)
      return createInvalid(
        path,
        `An endpoint has at most ${MAX_STATEMENTS_PER_ENDPOINT} statements. Remove \`${path}\`.`,
      );
  }
  const known = new Set(stated.map(toKey));
  const added = requested.filter((statement) => !known.has(toKey(statement)));
  const addedIds = [...new Set(added.map(({ endpointId }) => endpointId))];
  if (addedIds.length > MAX_ADDED_ENDPOINTS)
    return createInvalid(
      'statements',
      `One request can add statements about at most ${MAX_ADDED_ENDPOINTS} endpoints; received ${addedIds.length}. Add the others in further requests, each with the complete list.`,
    );
  const subjects = await readSubjects(db, addedIds);
  const wrong = added.find(({ endpointId, subject }) => !subjects.get(endpointId)?.includes(subject));
  if (wrong === undefined) return null;
  const path = `statements.${requested.indexOf(wrong)}.subject`;
  const list = subjects.get(wrong.endpointId) ?? [];
  const present = list.length === 0 ? 'At present it has none.' : `At present it has: ${list.join(', ')}.`;
  return createInvalid(
    path,
    `\`${path}\` must be a flag, a failed compliance rule or an event of the endpoint; received "${wrong.subject}". ${present}`,
  );
}

function toKey({ endpointId, subject }: Pick<NewStatement, 'endpointId' | 'subject'>): string {
  return `${endpointId} ${subject}`;
}

/** Reads the flags, the failed compliance rules and the ids of the public events of endpoints. */
async function readSubjects(
  db: Db,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (endpointIds.length === 0) return new Map();
  const sources = await readReportSources(db, endpointIds);
  const entries = await pLimit(CONCURRENCY).map(endpointIds, async (endpointId) => {
    const source = sources.get(endpointId);
    const query = { kinds: [], endpointId, before: null, limit: MAX_EVENTS };
    const { events } = await readEcosystemEvents(db, query);
    const flags = source === undefined ? [] : score(source.inputs).flags.map(({ slug }) => slug);
    const rules = source?.challenge?.failed.map(({ id }) => id) ?? [];
    return [endpointId, [...new Set([...flags, ...rules]), ...events.map(({ id }) => id)]] as const;
  });
  return new Map(entries);
}
