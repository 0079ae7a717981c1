import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartupError, toErrorMessage } from '../startup-error.ts';
import {
  scenarioSchema,
  type BehaviourKind,
  type EndpointDefinition,
  type Scenario,
} from './scenario-schema.ts';

/**
 * Behaviours that affect DNS, TCP or TLS. They apply to the whole host, because the path of a request is not known yet.
 */
const HOST_KINDS: ReadonlySet<BehaviourKind> = new Set(['dead', 'dns-gone', 'bad-certificate']);

function listBehaviours(endpoint: EndpointDefinition) {
  return [endpoint.behaviour, ...endpoint.phases.flatMap((phase) => phase.behaviour ?? [])];
}

function listTokens(endpoint: EndpointDefinition) {
  return new Set([...endpoint.tokens, ...endpoint.phases.flatMap((phase) => phase.tokens ?? [])]);
}

function findRepeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

function findTokenErrors(endpoint: EndpointDefinition, tokens: Scenario['tokens']): string[] {
  return [...listTokens(endpoint)].flatMap((name) => {
    const token = tokens[name];
    if (!token) return [`${endpoint.name}: the token ${name} is not defined`];
    return endpoint.protocol !== 'v2' && !token.v1Network
      ? [`${endpoint.name}: the token ${name} has no v1Network, which x402 v1 needs`]
      : [];
  });
}

/**
 * Finds errors that the schema cannot detect: duplicate names or URLs, undefined tokens, and host-wide behaviours on
 * hosts with several endpoints.
 */
function findCrossErrors({ endpoints, tokens }: Scenario): string[] {
  const getHost = ({ url }: EndpointDefinition) => new URL(url).hostname;
  const shared = new Set(findRepeated(endpoints.map(getHost)));
  const faulty = endpoints.filter(
    (endpoint) =>
      shared.has(getHost(endpoint)) && listBehaviours(endpoint).some(({ kind }) => HOST_KINDS.has(kind)),
  );
  return [
    ...findRepeated(endpoints.map(({ name }) => name)).map((name) => `two endpoints have the name ${name}`),
    ...findRepeated(endpoints.map(({ url }) => url)).map((url) => `two endpoints have the URL ${url}`),
    ...endpoints.flatMap((endpoint) => findTokenErrors(endpoint, tokens)),
    ...faulty.map(
      ({ name }) => `${name}: its behaviour applies to its whole host, which other endpoints use`,
    ),
  ];
}

/**
 * Parses a scenario.
 * @throws StartupError that lists every error
 */
export function parseScenario(value: unknown): Scenario {
  const parsed = scenarioSchema.safeParse(value);
  if (!parsed.success) throw new StartupError(`scenario: ${toErrorMessage(z.prettifyError(parsed.error))}`);
  const errors = findCrossErrors(parsed.data);
  if (errors.length > 0) throw new StartupError(`scenario: ${errors.join('; ')}`);
  return parsed.data;
}

/** Reads the scenario of the sandbox, `scenario.json`. */
export function loadScenario(): Scenario {
  return parseScenario(JSON.parse(readFileSync(new URL('../../scenario.json', import.meta.url), 'utf8')));
}
