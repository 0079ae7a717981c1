import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { BehaviourKind, Endpoint, Scenario } from './scenario-schema.ts';
import { scenarioSchema } from './scenario-schema.ts';
import { reasonOf, StartupError } from './startup-error.ts';

/** These show before any path is known, so they befall a whole host. */
const HOST_KINDS: ReadonlySet<BehaviourKind> = new Set(['dead', 'dns-gone', 'bad-certificate']);

const behaviours = (endpoint: Endpoint) => [
  endpoint.behaviour,
  ...endpoint.phases.flatMap((phase) => phase.behaviour ?? []),
];

const tokensOf = (endpoint: Endpoint) =>
  new Set([...endpoint.tokens, ...endpoint.phases.flatMap((phase) => phase.tokens ?? [])]);

const repeated = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

const tokenFaults = (endpoint: Endpoint, tokens: Scenario['tokens']): string[] =>
  [...tokensOf(endpoint)].flatMap((name) => {
    const token = tokens[name];
    if (!token) return [`${endpoint.name}: no token is called ${name}`];
    return endpoint.protocol !== 'v2' && !token.v1Network
      ? [`${endpoint.name}: x402 v1 has no network name for ${name}`]
      : [];
  });

/** What a schema of one endpoint cannot see: names that clash, tokens that are missing, hosts that share a fate. */
const crossFaults = ({ endpoints, tokens }: Scenario): string[] => {
  const hosts = endpoints.map((endpoint) => new URL(endpoint.url).hostname);
  const shared = new Set(repeated(hosts));
  return [
    ...repeated(endpoints.map((endpoint) => endpoint.name)).map((name) => `two endpoints are called ${name}`),
    ...repeated(endpoints.map((endpoint) => endpoint.url)).map((url) => `two endpoints have the URL ${url}`),
    ...endpoints.flatMap((endpoint) => tokenFaults(endpoint, tokens)),
    ...endpoints
      .filter((endpoint, index) => {
        const host = hosts[index];
        return (
          host !== undefined &&
          shared.has(host) &&
          behaviours(endpoint).some(({ kind }) => HOST_KINDS.has(kind))
        );
      })
      .map((endpoint) => `${endpoint.name}: shares its host, which its behaviour would break for the others`),
  ];
};

/**
 * Reads a scenario from parsed JSON.
 * @throws StartupError naming every fault, when it is not a consistent scenario
 */
export const parseScenario = (value: unknown): Scenario => {
  const parsed = scenarioSchema.safeParse(value);
  if (!parsed.success) throw new StartupError(`scenario: ${reasonOf(z.prettifyError(parsed.error))}`);
  const faults = crossFaults(parsed.data);
  if (faults.length > 0) throw new StartupError(`scenario: ${faults.join('; ')}`);
  return parsed.data;
};

/** The market this sandbox comes with, `scenario.json`. */
export const loadScenario = (): Scenario =>
  parseScenario(JSON.parse(readFileSync(new URL('../scenario.json', import.meta.url), 'utf8')));
