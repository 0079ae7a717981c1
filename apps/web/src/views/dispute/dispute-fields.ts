import { RECOMMENDATION_SUBJECT } from '@touchstone/contract/operations/dispute/schemas';
import type { NextRequest } from 'next/server';
import type { Limiter } from '../../api/rate-limit/create-limiter.ts';
import { routePageWithParams } from '../../serving/route-page.ts';

/**
 * Maximum length of a text in the form, in characters. The text is part of a URL, and web servers accept about 4 KiB. The
 * API accepts longer texts.
 */
export const MAX_FORM_TEXT_CHARS = 400;

/** Maximum length of each value of the form. Longer values are cut. */
const FIELDS = { resource: 2_000, subject: 64, text: MAX_FORM_TEXT_CHARS, wallet: 64, problem: 20 } as const;

/** Labels of the fields of the form. */
export const FIELD_LABELS = {
  resource: 'Endpoint',
  subject: 'What is wrong',
  text: 'Why it is wrong',
  wallet: 'payTo wallet',
} as const;

type FieldName = keyof typeof FIELDS;

/** Values of the form, as they were typed. `problem` is the name of the problem of the previous try. */
export type DisputeFields = Readonly<Record<FieldName, string>>;

/** Reads the values of the form from a URL or a form body. */
export function readFields(search: URLSearchParams): DisputeFields {
  const read = (name: FieldName) => [...(search.get(name) ?? '')].slice(0, FIELDS[name]).join('').trim();
  return {
    resource: read('resource'),
    subject: read('subject') || RECOMMENDATION_SUBJECT,
    text: read('text'),
    wallet: read('wallet'),
    problem: read('problem'),
  };
}

/** Formats the values of the form as the query of a URL, without empty values. */
export function formatFields(fields: Partial<DisputeFields>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
}

/** Routes a request for the page with the form. */
export function routeDisputePage(request: NextRequest, limiter: Limiter): Promise<Response> {
  const { search, searchParams } = request.nextUrl;
  const query = search === '' ? '' : formatFields(readFields(searchParams));
  return routePageWithParams(request, limiter, { path: '/on-demand/page/dispute', query, ignored: [] });
}
