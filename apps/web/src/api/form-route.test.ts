import { expect, it } from 'vitest';
import { createFormHandler } from './form-route.ts';
import { createProblemResponse } from './responses.ts';
import { createProblem } from '@touchstone/contract';

type Options = Parameters<typeof createFormHandler>[0];

const send = async (options: Partial<Options> = {}) => {
  const handler = createFormHandler({
    limiter: (_, respond) => respond(),
    submit: (fields) => Promise.resolve(`/done?${fields.toString()}`),
    toFormPath: (fields, { code, waitSeconds }) =>
      `/form?${fields.toString()} ${code} ${String(waitSeconds)}`,
    ...options,
  });
  const body = new URLSearchParams({ name: 'a b' });
  const response = await handler(new Request('https://touchstone.example/form', { method: 'POST', body }));
  return [response.status, response.headers.get('location')];
};

it('redirects to the page of the result', async () => {
  expect(await send()).toEqual([303, '/done?name=a+b']);
});

it('leads a client over its limit back to the form, with the wait', async () => {
  const limited = createProblemResponse(createProblem('rate-limited', 'Too many.'), { 'retry-after': '7' });
  const limiter = () => Promise.resolve(limited);
  expect(await send({ limiter })).toEqual([303, '/form?name=a+b rate-limited 7']);
});

it('leads back to the form after an internal error', async () => {
  const submit = () => Promise.reject(new Error('The database does not respond.'));
  expect(await send({ submit })).toEqual([303, '/form?name=a+b internal null']);
});
