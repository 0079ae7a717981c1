import type { Probe } from '@touchstone/probe';
import type { ProbedMethods } from './probe-methods.ts';

/** HTTP methods that a paid endpoint can use. */
export const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Creates notes for the user, one sentence each: the response to the other method, and a method to try next. */
export function createMethodNotes({ selected, other }: ProbedMethods): string[] {
  const hint = findMethodHint(selected, other);
  return [...(other === null ? [] : [describeResponse(other)]), ...(hint === null ? [] : [hint])];
}

function describeResponse({ method, httpStatus, headers }: Probe): string {
  if (httpStatus === null) return `${method} got no response.`;
  const allow = readAllowedMethods(headers);
  const names = httpStatus === 405 && allow.length > 0 ? ` (Allow: ${allow.join(', ')})` : '';
  return `${method} returned ${String(httpStatus)}${names}.`;
}

function findMethodHint(selected: Probe, other: Probe | null): string | null {
  if (selected.outcome === 'free' && selected.method === 'GET')
    return 'If another method requires payment, try it: --method POST.';
  if (selected.httpStatus !== 405 && selected.httpStatus !== 501) return null;
  const tried = new Set([selected.method, other?.method]);
  const allowed = [selected, other].flatMap((probe) => readAllowedMethods(probe?.headers ?? []));
  const untried = [...new Set(allowed)].filter((method) => !tried.has(method));
  const [first = null] = untried;
  return first === null
    ? 'If another method requires payment, try it, for example --method PUT.'
    : `The Allow header lists ${untried.join(', ')}. Try --method ${first}.`;
}

function readAllowedMethods(headers: Probe['headers']): string[] {
  const names = headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'allow' ? value.toUpperCase().split(/[\s,]+/) : [],
  );
  return METHODS.filter((method) => names.includes(method));
}
