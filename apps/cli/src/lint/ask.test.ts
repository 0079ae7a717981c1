import type { Outcome, Probe } from '@touchstone/probe';
import { describe, expect, it } from 'vitest';
import { ask, type Asked } from './ask.ts';
import { methodNotes } from './method-notes.ts';

type Told = readonly [outcome: Outcome, status: number | null, allow?: string];

function probeOf(method: string, [outcome, httpStatus, allow]: Told): Probe {
  return {
    url: 'https://api.example.com/',
    method,
    outcome,
    httpStatus,
    phases: { resolve: 1, connect: 1, tls: 1, processing: 1, transfer: 1 },
    latencyMs: 5,
    totalMs: 5,
    headers: allow === undefined ? [] : [['Allow', allow]],
    body: '',
    bodyTruncated: false,
    remoteAddress: null,
    retryAfterSeconds: null,
    failure: null,
  };
}

/** Asks a server that answers GET and the other methods as given. */
function askOne(get: Told, post: Told, method?: string): Promise<Asked> {
  return ask('https://api.example.com/', method, async ({ methods: [first = ''] }) =>
    probeOf(first, first === 'GET' ? get : post),
  );
}

const challenged: Told = ['challenged', 402];
const notFound: Told = ['not-found', 404];
const notAllowed: Told = ['method-mismatch', 405];
const bad: Told = ['client-error', 400];
const silent: Told = ['timeout', null];

describe('what is told', () => {
  it.each([
    [challenged, notFound, 'GET', null],
    [['free', 200], challenged, 'GET', null],
    [notAllowed, challenged, 'POST', 'GET'],
    [notAllowed, notAllowed, 'GET', 'POST'],
    [notFound, notAllowed, 'POST', 'GET'],
    [notAllowed, notFound, 'GET', 'POST'],
    [notAllowed, silent, 'POST', 'GET'],
    [notAllowed, ['server-error', 500], 'POST', 'GET'],
    [notFound, notFound, 'GET', 'POST'],
    [bad, notAllowed, 'GET', 'POST'],
    [bad, ['server-error', 500], 'GET', 'POST'],
    [bad, ['blocked', 429], 'POST', 'GET'],
    [['server-error', 501], bad, 'POST', 'GET'],
  ] as const)('of GET %j and POST %j is %s, beside %s', async (get, post, ...methods) => {
    const asked = await askOne(get, post);
    expect([asked.told.method, asked.other?.method ?? null]).toEqual(methods);
  });

  it('is the one method that was wished for', async () => {
    expect(await askOne(challenged, notAllowed, 'PUT')).toMatchObject({
      told: { method: 'PUT' },
      other: null,
    });
  });
});

describe('the notes on methods', () => {
  it.each([
    ['nothing', [challenged, challenged], []],
    ['the method that was tried before', [notAllowed, challenged], ['GET was answered 405.']],
    [
      'another method where none is taken',
      [notAllowed, notAllowed],
      ['POST was answered 405.', 'If another method is the paid one, ask by it, such as --method PUT.'],
    ],
    [
      'the methods that are allowed',
      [
        ['method-mismatch', 405, 'patch, PUT,HEAD, GET \u001b[2J'],
        ['method-mismatch', 405, 'PUT'],
      ],
      ['POST was answered 405 (Allow: PUT).', 'Its Allow header names PUT, PATCH: ask by --method PUT.'],
    ],
    [
      'POST where GET is free',
      [['free', 200], challenged],
      ['If another method is the paid one, ask by it: --method POST.'],
    ],
    ['silence of the other method', [bad, silent], ['POST got no answer.']],
  ] as const)('name %s', async (_, [get, post], notes) => {
    expect(methodNotes(await askOne(get, post))).toEqual(notes);
  });

  it('name what is allowed in place of the method that was wished for', async () => {
    const asked = await askOne(challenged, ['method-mismatch', 405, 'GET, POST'], 'PUT');
    expect(methodNotes(asked)).toEqual(['Its Allow header names GET, POST: ask by --method GET.']);
  });
});
