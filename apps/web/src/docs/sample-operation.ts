import { canonicalize } from '@touchstone/catalog';
import type { Operation } from '@touchstone/contract';

/**
 * Returns an operation whose parameters have the URL and the slug of another endpoint as examples.
 *
 * @param resource URL of an endpoint; undefined keeps the examples of the contract
 */
export function toSampleOperation(operation: Operation, resource: string | undefined): Operation {
  if (resource === undefined) return operation;
  const canonical = canonicalize(resource);
  const examples = new Map([
    ['resource', resource],
    ...(canonical.ok ? [['slug', canonical.slug] as const] : []),
  ]);
  const parameters = operation.parameters.map((parameter) => ({
    ...parameter,
    example: examples.get(parameter.name) ?? parameter.example,
  }));
  return { ...operation, parameters };
}
