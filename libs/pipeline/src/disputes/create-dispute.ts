import { DAY_MS, formatScore, formatTimestamp } from '@touchstone/common';
import { canonicalize } from '@touchstone/catalog';
import {
  FORMER_WALLET_DAYS,
  MAX_DAILY_DISPUTES,
  RECOMMENDATION_SUBJECT,
  type Dispute,
  type DisputeRequest,
} from '@touchstone/contract/operations/dispute/schemas';
import {
  createDispute as storeDispute,
  findDisputeSubject,
  readReportSources,
  type DisputeSubject,
} from '@touchstone/store';
import { assembleReport, FLAG_CATALOGUE, score, type ScoredSource } from '@touchstone/trust';
import { createRandomId } from '@touchstone/watch';
import { RULES } from '@touchstone/x402';
import { formatEndpointPage, toEndpointTag } from '../pages.ts';
import { createInvalid, createInvalidUrl, createOperationProblem } from '../problem.ts';
import { describeUnknown } from '../reports/find-related.ts';
import { checkClaimProof } from './check-claim-proof.ts';
import { checkWalletProof } from './check-wallet-proof.ts';
import type { DisputeContext, DisputeProblem, DisputeProof } from './dispute-context.ts';

type DisputeResult = { readonly kind: 'result'; readonly body: Dispute } | DisputeProblem;

/**
 * Stores a dispute of a provider about a part of the present verdict, with the trust report of this time as evidence. A
 * dispute changes no score.
 *
 * @param secret Bearer secret of the request; null without one. Only a dispute with a claim needs a secret.
 * @throws StoreError when the database fails
 */
export async function createDispute(
  context: DisputeContext,
  request: DisputeRequest,
  secret: string | null,
): Promise<DisputeResult> {
  const { db, baseUrl, vantage, now: getNow } = context;
  const canonical = canonicalize(request.resource);
  if (!canonical.ok) return createInvalidUrl(canonical.reason);
  const [now, endpointId] = [getNow(), canonical.id];
  const since = now - FORMER_WALLET_DAYS * DAY_MS;
  const wallet = 'wallet' in request.proof ? request.proof.wallet : null;
  const subject = await findDisputeSubject(db, { endpointId, wallet, since });
  if (subject === null) {
    return createOperationProblem(
      'unknown-resource',
      await describeUnknown(context, canonical.resource, ADVICE),
    );
  }
  if (subject.removed) return REMOVED;
  const proof = await checkProof(context, { request, secret }, subject);
  if (proof.kind === 'problem') return proof;
  const source = (await readReportSources(db, [endpointId])).get(endpointId);
  if (source === undefined) return NOT_SCORED;
  const shown = describeShown(source, request.subject);
  if (shown === null) return createAbsent(source, request.subject);
  const dispute = {
    id: createRandomId('d_'),
    endpointId,
    ...{ subject: request.subject, text: request.text, shown },
    ...{ proof: proof.proof, prover: proof.prover },
    ...{ isFormerWallet: proof.isFormerWallet, messageHash: proof.messageHash },
    evidence: assembleReport(source, { baseUrl, vantage, generatedAt: now }),
  };
  const result = await storeDispute(db, dispute, { dailyLimit: MAX_DAILY_DISPUTES, now });
  if (result !== 'created') return PROBLEMS[result];
  await context.onChanged([toEndpointTag(endpointId)]);
  return {
    kind: 'result',
    body: {
      dispute_id: dispute.id,
      resource: source.endpoint.resource,
      endpoint_page: formatEndpointPage(subject.slug, baseUrl),
      ...{ subject: dispute.subject, shown, text: dispute.text, state: 'open' },
      ...{ created_at: formatTimestamp(now), answer: null, answered_at: null },
    },
  };
}

function checkProof(
  context: DisputeContext,
  { request, secret }: { readonly request: DisputeRequest; readonly secret: string | null },
  subject: DisputeSubject,
): Promise<DisputeProof | DisputeProblem> {
  const { proof } = request;
  return 'wallet' in proof
    ? checkWalletProof(context, { ...request, proof }, subject)
    : checkClaimProof(context, { claimId: proof.claim_id, secret }, subject);
}

const ADVICE = 'Only verdicts on endpoints of the catalog can be disputed.';
const REMOVED = createOperationProblem(
  'unknown-resource',
  'This endpoint was removed from the catalog on request, so it has no verdict.',
);
const NOT_SCORED = createOperationProblem(
  'unknown-resource',
  'This endpoint has no verdict yet, so there is nothing to dispute. Its first score follows its first probes.',
);
const PROBLEMS = {
  open: createOperationProblem(
    'dispute-open',
    'A dispute about this part of the verdict is open, or this signature was already used. The page of the endpoint shows the answer when the operator has answered.',
  ),
  limited: {
    ...createOperationProblem(
      'rate-limited',
      `This wallet or claim has sent ${MAX_DAILY_DISPUTES} disputes in 24 hours. Send the next one tomorrow.`,
    ),
    retryAfterSeconds: DAY_MS / 1_000,
  },
  unknown: NOT_SCORED,
} as const;

/** Returns the names of the flags of a verdict, and of the compliance rules that its latest challenge fails. */
function listSubjects({ inputs, challenge }: ScoredSource): readonly string[] {
  const rules = challenge?.failed.map(({ id }) => id) ?? [];
  return [RECOMMENDATION_SUBJECT, ...score(inputs).flags.map(({ slug }) => slug), ...rules];
}

/**
 * Describes a part of a verdict in public words, without the evidence, which is part of the paid report. Returns null
 * if the verdict does not contain this part.
 */
function describeShown(source: ScoredSource, subject: string): string | null {
  if (!listSubjects(source).includes(subject)) return null;
  if (subject === RECOMMENDATION_SUBJECT) {
    const { recommendation, grade, score: points } = score(source.inputs);
    const graded = grade === '?' ? 'without a grade' : `grade ${grade}, score ${formatScore(points)} of 100`;
    return `The recommendation is ${recommendation}, ${graded}.`;
  }
  const flag = FLAG_CATALOGUE.find(({ slug }) => slug === subject);
  if (flag !== undefined) return flag.message;
  const rule = RULES.find(({ id }) => id === subject);
  return rule === undefined ? null : `The response breaks the rule: ${rule.requirement}`;
}

function createAbsent(source: ScoredSource, subject: string): DisputeProblem {
  const present = listSubjects(source).join(', ');
  return createInvalid(
    'subject',
    `\`subject\` must be a part of the present verdict; received ${subject}, which it does not contain. The verdict on this endpoint contains: ${present}.`,
  );
}
