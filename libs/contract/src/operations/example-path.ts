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

/**
 * Returns the path of an operation with the examples of its path parameters, and with its required query parameters.
 *
 * @example `/v1/x402-summary?resource=https%3A%2F%2Fapi.example.com%2Fv1%2Fweather`
 */
export function toExampleTarget(operation: Pick<Operation, 'path' | 'parameters'>): string {
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, example }): [string, string] => [name, example]);
  return `${toExamplePath(operation)}${query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`}`;
}
