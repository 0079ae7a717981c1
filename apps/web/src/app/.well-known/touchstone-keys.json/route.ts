import { openJson, openProblem, preflight } from '../../../open-answer.ts';
import { signingKeys } from '../../../signing-keys.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** The public keys that reports are signed with: the present one first, earlier ones behind it. */
export async function GET(): Promise<Response> {
  const keys = await signingKeys();
  if (keys !== null) return openJson(keys.published, FIVE_MINUTES_SECONDS);
  return openProblem({
    status: 404,
    code: 'unknown-resource',
    title: 'Not Found',
    detail: 'This service does not sign its reports.',
  });
}

export const OPTIONS = (): Response => preflight(['GET', 'OPTIONS']);
