import { discoverOriginSchema } from '@agentcash/discovery';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { getSiteUrl, request } from '../support/site-request.ts';

const manifestSchema = z.object({ resources: z.array(z.url()) });

it('the validator of x402scan finds every paid route with its price', async () => {
  const found = await discoverOriginSchema({ target: getSiteUrl() });
  if (!found.found) throw new Error(`The validator found nothing: ${found.message ?? found.cause}`);
  const paid = found.endpoints.filter(({ price }) => price !== undefined);
  const { resources } = manifestSchema.parse(await (await request('/.well-known/x402')).json());
  const paths = paid.map(({ path }) => path).filter((path) => !path.includes('{'));
  expect(paths.toSorted()).toEqual(resources.map((url) => new URL(url).pathname).toSorted());
  expect(new Set(paid.map(({ authMode }) => authMode))).toEqual(new Set(['paid']));
});
