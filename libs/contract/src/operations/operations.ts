import { FREE_OPERATIONS } from './free-operations.ts';
import type { Operation } from './operation.ts';
import { PAID_OPERATIONS } from './paid-operations.ts';
import { OWNER_WATCH_OPERATIONS, PAID_WATCH_OPERATIONS } from './watch-operations.ts';

/** All operations of the API, in display order. */
export const OPERATIONS: readonly Operation[] = [
  ...PAID_OPERATIONS,
  ...PAID_WATCH_OPERATIONS,
  ...OWNER_WATCH_OPERATIONS,
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
    template.length === parts.length &&
    template.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  );
}
