import { preview } from '../../../preview.ts';
import { openJson, openProblem, preflight } from '../../../open-answer.ts';

export const dynamic = 'force-dynamic';

const FIVE_MINUTES_SECONDS = 5 * 60;

/** Three complete reports, free of charge: the best-scored endpoint, the median and the worst-scored one. */
export async function GET(): Promise<Response> {
  try {
    return openJson(await preview(), FIVE_MINUTES_SECONDS);
  } catch {
    return openProblem({
      status: 500,
      code: 'internal',
      title: 'Internal Server Error',
      detail: 'The reports could not be read. Try again in a minute.',
    });
  }
}

/** The same; whatever the body says, there is nothing to choose. */
export const POST = GET;

export const OPTIONS = (): Response => preflight(['GET', 'POST', 'OPTIONS']);
