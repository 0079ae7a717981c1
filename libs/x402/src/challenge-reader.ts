import {
  judge,
  readEnvelopes,
  selectParts,
  toChallenge,
  toRuleInput,
  type ChallengeContext,
  type ResponseParts,
} from './read-challenge.ts';
import { createJudgementMemory, type Digest } from './judgement-memory.ts';
import type { Challenge, ChallengeResponse } from './types.ts';

/** Facts that a probe adds to a response. They contain no time, so a judgement never expires. */
type ProbeContext = Pick<ChallengeContext, 'declaredMethod' | 'settledThrough'>;

/** Function that reads a challenge in the same way as `readChallenge`. */
export type ChallengeReader = (response: ChallengeResponse, context?: ProbeContext) => Challenge;

export interface ChallengeReaderOptions {
  readonly digest: Digest;
  /** Maximum size of the memory, in bytes; 16 MiB by default, for 400,000 responses. */
  readonly maxBytes?: number;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Creates a function that reads challenges and judges a repeated response only once. The function remembers the
 * judgement of every response that arrived twice, and returns the same result as `readChallenge`: judgements are found
 * by the digest of everything that a judgement depends on. The payment options and the description are read from each
 * response again, because they are larger than the digest.
 */
export function createChallengeReader({
  digest,
  maxBytes = DEFAULT_MAX_BYTES,
}: ChallengeReaderOptions): ChallengeReader {
  const memory = createJudgementMemory(digest, maxBytes);
  return (response, { declaredMethod, settledThrough } = {}) => {
    const context = { declaredMethod, settledThrough };
    const parts = selectParts(response);
    const envelopes = readEnvelopes(parts);
    const judgement = memory.get(formatKey(parts, context), () =>
      judge(toRuleInput(parts, envelopes, context)),
    );
    return toChallenge(parts, envelopes, judgement);
  };
}

/** Formats everything that a judgement depends on. Two different inputs of the rules never have the same text. */
function formatKey(parts: ResponseParts, context: ProbeContext): string {
  return JSON.stringify({ ...parts, headers: [...parts.headers], ...context });
}
