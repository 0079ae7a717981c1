import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPayment, post, readChallengeHeader } from '../testing/buyer.ts';
import { toStatusAndCode, openTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterEach(() => service.reset());
afterAll(() => service.close());

test('a challenge names the actual path, the template and the values of its parameters', async () => {
  const { url: origin } = await service.openSeller();
  const { resource, extensions } = readChallengeHeader(await post(`${origin}/v1/items/abc/renew`, ''));
  expect(resource.url).toBe('https://touchstone.example/v1/items/abc/renew');
  const bazaar = { routeTemplate: '/v1/items/:id/renew', info: { input: { pathParams: { id: 'abc' } } } };
  expect(extensions).toMatchObject({ bazaar });
});

test('a payment is bound to the actual path of its request, not to the path template', async () => {
  const { url: origin } = await service.openSeller();
  const [url, otherUrl] = [`${origin}/v1/items/abc/renew`, `${origin}/v1/items/xyz/renew`];
  const { payment } = await createPayment(service.payer, url, '');
  const first = await post(url, '', { payment });
  expect(first).toMatchObject({ status: 200, body: { about: 'abc' } });
  const before = await service.countTransfers();
  expect(toStatusAndCode(await post(otherUrl, '', { payment }))).toEqual([409, 'payment-reused']);
  const again = await post(url, '', { payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  expect(service.workedFor.map(({ resource }) => resource)).toEqual(['abc']);
  expect(await service.countTransfers()).toBe(before);
});

test('a path parameter is decoded before it is validated, and an invalid one is not charged', async () => {
  const { url: origin } = await service.openSeller();
  for (const segment of ['A1', '%E0%A4%A', 'a%2Fb']) {
    const url = `${origin}/v1/items/${segment}/renew`;
    const { payment } = await createPayment(service.payer, url, '');
    const reply = await service.expectNotCharged(() => post(url, '', { payment }));
    expect(toStatusAndCode(reply)).toEqual([400, 'invalid-request']);
    expect(reply.body['errors']).toMatchObject([
      { path: 'id', message: expect.stringContaining('`id` must be 1 to 9 letters; received') as string },
    ]);
  }
  expect(service.workedFor).toEqual([]);
  const encoded = `${origin}/v1/items/%61bc/renew`;
  const { payment } = await createPayment(service.payer, encoded, '');
  expect(await post(encoded, '', { payment })).toMatchObject({ status: 200, body: { about: 'abc' } });
});
