import { readFileSync } from 'node:fs';
import { verifyTypedData, type Hex } from 'viem';
import { createOutcomeTypedData } from '@touchstone/contract/operations/outcome/outcome-message';
import { OUTCOME_SCHEMAS, outcomeInputSchema } from '@touchstone/contract/operations/outcome/operation';
import { expect, it } from 'vitest';

type TypedData = ReturnType<typeof createOutcomeTypedData>;

it('the documented typed data has the documented signature, and is that of the documented request', async () => {
  const text = readFileSync(new URL('../../../../docs/delivery.md', import.meta.url), 'utf8');
  const [typedData, request] = [...text.matchAll(/```json\n(.*?)```/gs)].map(
    ([, json]) => JSON.parse(json ?? '') as TypedData,
  );
  if (typedData === undefined) throw new Error('The document has no typed data.');
  const parsed = outcomeInputSchema.parse({ body: request, query: {} });
  const { signature, ...statement } = parsed;
  const expected = createOutcomeTypedData({
    ...{ ...statement, origin: 'https://touchstone.example', nonce: parsed.nonce ?? null, transaction: null },
    ...{ httpStatus: parsed.http_status, bodySha256: parsed.body_sha256, observedAt: parsed.observed_at },
  });
  expect(typedData).toMatchObject(expected);
  const signed = { address: parsed.payer as Hex, signature: signature as Hex };
  expect(await verifyTypedData({ ...typedData, ...signed })).toBe(true);
  expect(request).toEqual(OUTCOME_SCHEMAS['outcome-request'].example);
});
