import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApplication, type Application } from '../testing/inngest/inngest-application.ts';
import { storeEndpoint } from '../testing/store-endpoint.ts';
import { createTopicEmbedder } from '../testing/topics.ts';
import { useWorld } from '../testing/world.ts';

const world = useWorld({ isShared: true });
const embedder = createTopicEmbedder();
const createWord = embedder.createTopic();
let application: Application;

beforeAll(async () => {
  application = await startApplication(() => ({ ...world.context, embedder }));
  expect(await application.register()).toBe(200);
});
afterAll(async () => {
  await application.close();
});

const store = (name: string, score: number): Promise<string> =>
  storeEndpoint(world.context.db, world.time, {
    resource: `https://${name}.example.com/`,
    description: createWord(0.9),
    score,
  });

it('embeds and counts in separate steps, and counts once when a request is delivered twice', async () => {
  const ids = [await store('low', 20), await store('high', 80)];
  application.inngest.deliveries = 2;
  const run = await application.inngest.run('touchstone-search');
  expect(run).toMatchObject({ failed: false, output: { embedded: 2, refused: 0 } });
  expect(run.steps).toEqual(['embed batch 1', 'count batch 1']);
  const { data } = await world.context.db.from('snapshots').select('better_alternatives').order('score');
  expect(data).toEqual([{ better_alternatives: 1 }, { better_alternatives: 0 }]);
  expect(world.changedIds.toSorted()).toEqual(ids.toSorted());
}, 60_000);
