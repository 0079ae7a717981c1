import { canonicalize } from '@touchstone/catalog';
import { formatTimestamp } from '@touchstone/common';
import { MAX_DISPUTE_CHARS } from '@touchstone/contract/operations/dispute/schemas';
import {
  answerDispute,
  createCorrection,
  findDisputeSubject,
  readDisputeEvidence,
  readOpenDisputes,
  recordPageExpirations,
  type Db,
  type OpenDispute,
} from '@touchstone/store';
import { createRandomId } from '@touchstone/watch';
import { ConfigError } from '../config/config.ts';

export const USAGE = `Usage: touchstone disputes
       touchstone disputes evidence ID
       touchstone disputes answer ID upheld|rejected TEXT
       touchstone disputes correct SHOWN RIGHT [URL]

Without a command: lists the open disputes, the oldest first, at most 100.
evidence  prints the trust report at the time of a dispute, open or answered, as JSON
answer    closes a dispute. TEXT is public on the page of the endpoint and on /corrections
correct   adds a correction without a dispute to /corrections. SHOWN: what was wrong, RIGHT: what is right,
          URL: the endpoint, if the correction concerns a single one

An answer changes no score. The command uses SUPABASE_URL and SUPABASE_SECRET_KEY, or the running service with the
data folder DATA_DIR (.touchstone by default; for live mode, set DATA_DIR to .touchstone-live).
`;

/** Maximum number of listed disputes. */
const MAX_LISTED = 100;
const PAGES_FOLLOW = 'Pages show it within an hour.';

/**
 * Runs `touchstone disputes` with the arguments after this name. Returns the output; null for wrong arguments.
 *
 * @param now Time of the answer or correction, in milliseconds since the epoch.
 * @throws ConfigError if the arguments name no open dispute or no endpoint, or if a text is too long
 */
export async function runDisputes(db: Db, args: readonly string[], now: number): Promise<string | null> {
  const [command, ...rest] = args;
  switch (command) {
    case undefined:
      return listDisputes(db);
    case 'evidence':
      return rest[0] !== undefined && rest.length === 1 ? showEvidence(db, rest[0]) : null;
    case 'answer':
      return rest.length === 3 ? answer(db, rest, now) : null;
    case 'correct':
      return rest.length === 2 || rest.length === 3 ? correct(db, rest, now) : null;
    default:
      return null;
  }
}

async function listDisputes(db: Db): Promise<string> {
  const open = await readOpenDisputes(db, MAX_LISTED);
  if (open.length === 0) return 'No dispute is open.\n';
  return open.map((dispute) => `${formatDispute(dispute)}\n`).join('\n');
}

function formatDispute(dispute: OpenDispute): string {
  const { id, createdAt, resource, subject, shown, text, proof, prover, isFormerWallet } = dispute;
  const wallet = `${isFormerWallet ? 'former' : 'present'} payTo wallet ${prover}`;
  return [
    `${id}, sent ${createdAt} by ${proof === 'claim' ? `claim ${prover}` : wallet}`,
    `  endpoint: ${resource ?? 'removed on request'}`,
    `  disputed: ${subject ?? ''}: ${shown}`,
    `  provider: ${text ?? ''}`,
  ].join('\n');
}

async function showEvidence(db: Db, id: string): Promise<string> {
  const evidence = await readDisputeEvidence(db, id);
  if (evidence === null) throw new ConfigError(`ID must be the id of a dispute; received ${id}.`);
  return `${JSON.stringify(evidence, null, 2)}\n`;
}

function createNotOpen(id: string): ConfigError {
  return new ConfigError(
    `ID must be the id of an open dispute; received ${id}. List the open disputes: touchstone disputes`,
  );
}

async function answer(
  db: Db,
  [id = '', state = '', text = '']: readonly string[],
  now: number,
): Promise<string> {
  if (state !== 'upheld' && state !== 'rejected')
    throw new ConfigError(`The state must be upheld or rejected; received ${state}.`);
  checkText('TEXT', text);
  const endpointId = await answerDispute(db, { id, state, answer: text.trim(), now });
  if (endpointId === null) throw createNotOpen(id);
  await recordPageExpirations(db, [`endpoint:${endpointId}`, 'corrections']);
  return `Answered ${id}: ${state}. ${PAGES_FOLLOW}\n`;
}

async function correct(
  db: Db,
  [shown = '', right = '', url]: readonly string[],
  now: number,
): Promise<string> {
  checkText('SHOWN', shown);
  checkText('RIGHT', right);
  const endpointId = url === undefined ? null : await findEndpointId(db, url);
  const correction = { id: createRandomId('d_'), endpointId, shown: shown.trim(), answer: right.trim() };
  await createCorrection(db, { ...correction, now });
  const tags = endpointId === null ? [] : [`endpoint:${endpointId}`];
  await recordPageExpirations(db, [...tags, 'corrections']);
  return `Added the correction ${correction.id} of ${formatTimestamp(now)}. ${PAGES_FOLLOW}\n`;
}

function checkText(name: string, text: string): void {
  const length = text.trim().length;
  if (length >= 1 && length <= MAX_DISPUTE_CHARS) return;
  throw new ConfigError(
    `${name} must be a text of 1 to ${MAX_DISPUTE_CHARS} characters; received ${length} characters.`,
  );
}

async function findEndpointId(db: Db, url: string): Promise<string> {
  const canonical = canonicalize(url);
  if (!canonical.ok) throw new ConfigError(`URL must be the URL of an endpoint: ${canonical.reason}.`);
  if ((await findDisputeSubject(db, { endpointId: canonical.id, wallet: null, since: 0 })) !== null)
    return canonical.id;
  throw new ConfigError(`URL must be an endpoint of the catalog; received ${canonical.resource}.`);
}
