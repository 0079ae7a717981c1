import type { Probe } from '@touchstone/probe';
import type { Asked } from './ask.ts';

/** What payments are made by. */
export const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What else was asked, and by which method to ask next, a sentence each. */
export function methodNotes({ told, other }: Asked): string[] {
  const hint = hintOn(told, other);
  return [...(other === null ? [] : [answerOf(other)]), ...(hint === null ? [] : [hint])];
}

function answerOf({ method, httpStatus, headers }: Probe): string {
  if (httpStatus === null) return `${method} got no answer.`;
  const allow = allowedBy(headers);
  const names = httpStatus === 405 && allow.length > 0 ? ` (Allow: ${allow.join(', ')})` : '';
  return `${method} was answered ${String(httpStatus)}${names}.`;
}

function hintOn(told: Probe, other: Probe | null): string | null {
  if (told.outcome === 'free' && told.method === 'GET')
    return 'If another method is the paid one, ask by it: --method POST.';
  if (told.httpStatus !== 405 && told.httpStatus !== 501) return null;
  const asked = new Set([told.method, other?.method]);
  const named = [told, other].flatMap((probe) => allowedBy(probe?.headers ?? []));
  const open = [...new Set(named)].filter((method) => !asked.has(method));
  const [first = null] = open;
  return first === null
    ? 'If another method is the paid one, ask by it, such as --method PUT.'
    : `Its Allow header names ${open.join(', ')}: ask by --method ${first}.`;
}

function allowedBy(headers: Probe['headers']): string[] {
  const words = headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'allow' ? value.toUpperCase().split(/[\s,]+/) : [],
  );
  return METHODS.filter((method) => words.includes(method));
}
