import { jsonSchemaAt } from '@touchstone/contract';
import { siteOrigin } from '../../../config.ts';
import { openJson, openProblem, preflight } from '../../../open-answer.ts';

export const dynamic = 'force-dynamic';

const DAY_SECONDS = 24 * 60 * 60;

/** The JSON Schemas of what this service answers, each at the address that is its `$id`. */
export function GET(request: Request): Response {
  const { pathname } = new URL(request.url);
  const schema = jsonSchemaAt(pathname, siteOrigin(process.env));
  if (schema !== null) return openJson(schema, DAY_SECONDS);
  return openProblem({
    status: 404,
    code: 'unknown-resource',
    title: 'Not Found',
    detail: 'There is no schema at this address. The $schema member of a report says where its own is.',
  });
}

export const OPTIONS = (): Response => preflight(['GET', 'OPTIONS']);
