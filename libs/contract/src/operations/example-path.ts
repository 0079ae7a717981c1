import type { Operation } from './operation.ts';

/**
 * Returns the path of an operation, filled with the examples of its path parameters.
 *
 * @example `/schemas/x402-trust/1.0.0.json` for the path `/schemas/{name}/{file}`
 */
export function toExamplePath({ path, parameters }: Pick<Operation, 'path' | 'parameters'>): string {
  return parameters
    .filter(({ in: place }) => place === 'path')
    .reduce((filled, { name, example }) => filled.replace(`{${name}}`, example), path);
}
