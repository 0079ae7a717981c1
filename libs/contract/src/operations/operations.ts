import { BULK_OPERATIONS } from './bulk-operations.ts';
import { FREE_OPERATIONS } from './free-operations.ts';
import type { Operation } from './operation.ts';
import { PAID_OPERATIONS } from './paid-operations.ts';
import { SUMMARY_OPERATIONS } from './summary-operations.ts';
import { OWNER_WATCH_OPERATIONS, PAID_WATCH_OPERATIONS } from './watch-operations.ts';

/** All operations of the API, in display order. */
export const OPERATIONS: readonly Operation[] = [
  ...PAID_OPERATIONS,
  ...BULK_OPERATIONS,
  ...PAID_WATCH_OPERATIONS,
  ...OWNER_WATCH_OPERATIONS,
  ...SUMMARY_OPERATIONS,
  ...FREE_OPERATIONS,
];

/**
 * Finds the operation for a method and path; null when no operation matches.
 *
 * @param path path of the request, such as `/schemas/x402-trust/1.0.0.json`
 */
export function findOperation(method: string, path: string): Operation | null {
  const parts = path.split('/');
  return (
    OPERATIONS.find(
      (operation) => operation.method === method && matchesTemplate(operation.path.split('/'), parts),
    ) ?? null
  );
}

function matchesTemplate(template: readonly string[], parts: readonly string[]): boolean {
  return (
    template.length === parts.length && template.every((part, at) => matchesSegment(part, parts[at] ?? ''))
  );
}

/**
 * Returns true for a path segment that equals a segment of a template, or fills its variable part. A variable part is at
 * the start of its segment and may have a suffix, as in `{slug}.json`. It is never empty.
 */
function matchesSegment(template: string, segment: string): boolean {
  if (!template.startsWith('{')) return template === segment;
  const suffix = template.slice(template.indexOf('}') + 1);
  return segment.endsWith(suffix) && segment.length > suffix.length;
}
