import { planResponse } from '../endpoints/plan-response.ts';
import { createSimulatedEndpoints } from '../endpoints/simulated-endpoint.ts';
import { loadScenario, type EndpointDefinition } from '../scenario/scenario-schema.ts';
import {
  TEST_EPOCH,
  toIsoTime,
  type HttpResult,
  type Outcome,
  type RequestOptions,
  type TestSandbox,
} from './test-sandbox.ts';

export const scenario = loadScenario();

/** Returns the first endpoint of the scenario whose `story` has the given name. */
export function findStory(story: string): EndpointDefinition {
  const endpoint = scenario.endpoints.find((each) => each.story === story);
  if (!endpoint) throw new Error(`the scenario has no endpoint with the story ${story}`);
  return endpoint;
}

/** Sends a request to the endpoint with the given story. The default method is the endpoint's method. */
export function requestStory(
  sandbox: TestSandbox,
  story: string,
  options: RequestOptions = {},
): Promise<Outcome> {
  return sandbox.request(findStory(story).url, { method: findStory(story).method, ...options });
}

/** Waits for the outcome of a request and returns the response. Throws when the request failed. */
export async function expectResponse(outcome: Promise<Outcome>): Promise<HttpResult> {
  const result = await outcome;
  if ('error' in result) throw new Error(result.error);
  return result;
}

export function readChallengeHeader({ headers }: HttpResult): string {
  return String(headers['payment-required']);
}

export function decodeHeader(header: string): unknown {
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
}

/** Sets the clock to a simulated day and returns the v2 challenge of the endpoint with the given story. */
export async function getChallengeOnDay(sandbox: TestSandbox, story: string, day: number): Promise<unknown> {
  await sandbox.setClock(toIsoTime(day));
  return decodeHeader(readChallengeHeader(await expectResponse(requestStory(sandbox, story))));
}

/**
 * Finds the first minute of a simulated day at which the endpoint with the given story responds with the given status,
 * or resets the connection. Returns the time as ISO 8601.
 */
export function findMinute(story: string, fromDay: number, outcome: number | 'reset'): string {
  const endpoints = createSimulatedEndpoints({ scenario, seed: 'touchstone', epoch: Date.parse(TEST_EPOCH) });
  const endpoint = endpoints.find(({ definition }) => definition.story === story);
  for (let minute = 0; endpoint && minute < 1_440; minute += 1) {
    const at = toIsoTime(fromDay + minute / 1_440);
    const planned = planResponse(endpoint, { method: 'GET', path: endpoint.path, id: '' }, Date.parse(at));
    if (outcome === (planned.transport === 'response' ? planned.response.status : planned.transport))
      return at;
  }
  throw new Error(`${story} never responds with ${outcome} on day ${fromDay}`);
}
