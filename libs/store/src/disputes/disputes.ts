import { formatTimestamp } from '@touchstone/common';
import { DISPUTE_STATES } from '@touchstone/contract/operations/dispute/schemas';
import { z } from 'zod';
import { call, unwrap, type Db } from '../client/client.ts';
import { toRow } from '../client/rows.ts';
import { isoTimestampSchema } from '../client/values.ts';

const subjectSchema = z.object({
  removed: z.boolean(),
  host: z.string(),
  slug: z.string(),
  wallets: z.array(z.object({ network: z.string(), isCurrent: z.boolean() })),
});

/**
 * Endpoint of a dispute. `wallets`: EVM networks on which its challenges name the wallet, or named it before.
 * `isCurrent`: the latest challenge names the wallet.
 */
export type DisputeSubject = z.infer<typeof subjectSchema>;

/** New dispute. `evidence` is the trust report at the time of the dispute. */
export interface NewDispute {
  readonly id: string;
  readonly endpointId: string;
  readonly subject: string;
  readonly proof: 'wallet' | 'claim';
  /** Wallet in lower case, or id of the claim. */
  readonly prover: string;
  readonly isFormerWallet: boolean;
  /** SHA-256 of the signed message; null without a signature. */
  readonly messageHash: string | null;
  readonly text: string;
  readonly shown: string;
  readonly evidence: object;
}

const disputeSchema = z.object({
  id: z.string(),
  /** `recommendation`, or the name of a flag or a rule; null for a correction of the operator. */
  subject: z.string().nullable(),
  proof: z.enum(['wallet', 'claim', 'operator']),
  /** Shortened address; null without a signature. */
  wallet: z.string().nullable(),
  isFormerWallet: z.boolean(),
  shown: z.string(),
  text: z.string().nullable(),
  state: z.enum(DISPUTE_STATES),
  createdAt: isoTimestampSchema,
  answer: z.string().nullable(),
  answeredAt: isoTimestampSchema.nullable(),
  /** URL of the endpoint; null if it was removed, and for a correction that concerns no single endpoint. */
  resource: z.string().nullable(),
  /** Slug of the page of the endpoint; null without a public page. */
  slug: z.string().nullable(),
});

/** Dispute or correction of the operator, as pages show it. Times are ISO 8601. `text` is unverified text. */
export type PublicDispute = z.infer<typeof disputeSchema>;

const openDisputeSchema = disputeSchema.extend({ prover: z.string() });

/** Dispute that waits for an answer, with its prover. */
export type OpenDispute = z.infer<typeof openDisputeSchema>;

/**
 * Returns the endpoint of a dispute; null if it is unknown.
 *
 * @param wallet Wallet that signed the dispute; null without a signature.
 * @param since Time until which the endpoint must have advertised a former wallet, in milliseconds since the epoch.
 */
export async function findDisputeSubject(
  db: Db,
  {
    endpointId,
    wallet,
    since,
  }: { readonly endpointId: string; readonly wallet: string | null; readonly since: number },
): Promise<DisputeSubject | null> {
  // The generated type has no null, because PostgreSQL does not know which arguments may be null.
  const args = { endpointId, wallet: wallet ?? '', since: formatTimestamp(since) };
  return subjectSchema.nullable().parse(await call(db, 'dispute_subject', args));
}

const creationSchema = z.enum(['created', 'open', 'limited', 'unknown']);

/**
 * Stores a dispute.
 *
 * @returns `open` if a dispute about the same part of the verdict is open or the message was used before; `limited` if
 * the prover has sent `dailyLimit` disputes in 24 hours; `unknown` if the endpoint was deleted.
 */
export async function createDispute(
  db: Db,
  dispute: NewDispute,
  { dailyLimit, now }: { readonly dailyLimit: number; readonly now: number },
): Promise<z.infer<typeof creationSchema>> {
  return creationSchema.parse(
    await call(db, 'create_dispute', { dispute: toRow(dispute), dailyLimit, now: formatTimestamp(now) }),
  );
}

export interface DisputeAnswer {
  readonly id: string;
  readonly state: 'upheld' | 'rejected';
  readonly answer: string;
  readonly now: number;
}

/** Answers an open dispute. Returns the id of its endpoint; null if no dispute with this id is open. */
export async function answerDispute(db: Db, { now, ...answer }: DisputeAnswer): Promise<string | null> {
  const endpointId: string | null = await call(db, 'answer_dispute', {
    ...answer,
    now: formatTimestamp(now),
  });
  return endpointId;
}

export interface NewCorrection {
  readonly id: string;
  /** Endpoint that the correction concerns; null for a correction of several endpoints. */
  readonly endpointId: string | null;
  readonly shown: string;
  /** Correct statement, in the words of the operator. */
  readonly answer: string;
  readonly now: number;
}

/** Stores a correction that the operator made without a dispute. */
export async function createCorrection(db: Db, correction: NewCorrection): Promise<void> {
  const { id, endpointId, shown, answer, now } = correction;
  const at = formatTimestamp(now);
  const row = {
    id,
    endpoint_id: endpointId,
    proof: 'operator',
    state: 'upheld',
    created_at: at,
    answered_at: at,
  };
  unwrap(
    'store a correction',
    await db
      .from('disputes')
      .insert({ ...row, shown, answer })
      .select('id'),
  );
}

/** Returns the newest disputes of an endpoint, at most 50. Needs the publishable key only. */
export async function readEndpointDisputes(
  db: Db,
  endpointId: string,
  limit: number,
): Promise<readonly PublicDispute[]> {
  return z.array(disputeSchema).parse(await call(db, 'endpoint_disputes', { endpointId, limit }));
}

/** Returns the newest answered disputes and corrections, at most 500. Needs the publishable key only. */
export async function readCorrections(db: Db, limit: number): Promise<readonly PublicDispute[]> {
  return z.array(disputeSchema).parse(await call(db, 'corrections', { limit }));
}

/** Returns the trust report at the time of a dispute, open or answered; null without a dispute with this id. */
export async function readDisputeEvidence(db: Db, id: string): Promise<unknown> {
  const rows = unwrap(
    'read the evidence of a dispute',
    await db.from('disputes').select('evidence').eq('id', id),
  );
  return rows[0]?.evidence ?? null;
}

/** Returns the disputes that wait for an answer, the oldest first. */
export async function readOpenDisputes(db: Db, limit: number): Promise<readonly OpenDispute[]> {
  return z.array(openDisputeSchema).parse(await call(db, 'open_disputes', { limit }));
}
