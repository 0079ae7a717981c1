import { findOperation, type Operation } from '@touchstone/contract';

/**
 * Returns the POST operation at a path.
 *
 * @throws Error if the contract has no such operation.
 */
export function requireOperation(path: string): Operation {
  const operation = findOperation('POST', path);
  if (operation === null) throw new Error(`The contract has no operation POST ${path}`);
  return operation;
}
