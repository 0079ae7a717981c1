import { answerTo } from './answer.ts';
import { loadScenario } from './load-scenario.ts';
import { residentsOf } from './resident.ts';
import type { Endpoint } from './scenario-schema.ts';
import { onDay, TEST_EPOCH } from './test-world.ts';
import type { AskOptions, HttpAnswer, Outcome, TestWorld } from './test-world.ts';

export const scenario = loadScenario();

/** The endpoint that is in the scenario for the sake of a story. */
export const told = (story: string): Endpoint => {
  const endpoint = scenario.endpoints.find((each) => each.story === story);
  if (!endpoint) throw new Error(`the scenario has no ${story}`);
  return endpoint;
};

/** Asks a story's endpoint by its own method, unless another is given. */
export const askStory = (world: TestWorld, story: string, options: AskOptions = {}): Promise<Outcome> =>
  world.ask(told(story).url, { method: told(story).method, ...options });

export const answered = async (outcome: Promise<Outcome>): Promise<HttpAnswer> => {
  const answer = await outcome;
  if ('error' in answer) throw new Error(answer.error);
  return answer;
};

export const challengeHeader = ({ headers }: HttpAnswer): string => String(headers['payment-required']);

export const decoded = (header: string): unknown =>
  JSON.parse(Buffer.from(header, 'base64').toString('utf8'));

/** The v2 challenge of a story's endpoint on a day of the world. */
export const challengeOn = async (world: TestWorld, story: string, day: number): Promise<unknown> => {
  await world.setClock(onDay(day));
  return decoded(challengeHeader(await answered(askStory(world, story))));
};

/** The first minute from a day on at which chance has an endpoint do something: answer a status, or "reset". */
export const minuteWhen = (story: string, fromDay: number, outcome: number | 'reset'): string => {
  const residents = residentsOf({ scenario, seed: 'touchstone', epoch: Date.parse(TEST_EPOCH) });
  const resident = residents.find(({ endpoint }) => endpoint.story === story);
  for (let minute = 0; resident && minute < 1_440; minute += 1) {
    const at = onDay(fromDay + minute / 1_440);
    const answer = answerTo(resident, { method: 'GET', path: resident.path, item: '' }, Date.parse(at));
    if (outcome === (answer.transport === 'reply' ? answer.reply.status : answer.transport)) return at;
  }
  throw new Error(`${story} never does ${outcome}`);
};
