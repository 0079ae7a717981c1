import type { Outcome, Probe } from '@touchstone/probe';
import { describe, expect, it } from 'vitest';
import { probeMethods } from './lint-endpoint.ts';
import { createMethodNotes, type ProbedMethods } from './notes.ts';

type Result = readonly [outcome: Outcome, status: number | null, allow?: string];

function createProbe(method: string, [outcome, httpStatus, allow]: Result): Probe {
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

/** Probes a simulated server that returns one result for GET and another result for every other method. */
function probeServer(get: Result, post: Result, method?: string): Promise<ProbedMethods> {
  return probeMethods('https://api.example.com/', method, async ({ methods: [first = ''] }) =>
    createProbe(first, first === 'GET' ? get : post),
  );
}

const challenged: Result = ['challenged', 402];
const notFound: Result = ['not-found', 404];
const notAllowed: Result = ['method-mismatch', 405];
const bad: Result = ['client-error', 400];
const timedOut: Result = ['timeout', null];

describe('probeMethods', () => {
  it.each([
    [challenged, notFound, 'GET', null],
    [['free', 200], challenged, 'GET', null],
    [notAllowed, challenged, 'POST', 'GET'],
    [notAllowed, notAllowed, 'GET', 'POST'],
    [notFound, notAllowed, 'POST', 'GET'],
    [notAllowed, notFound, 'GET', 'POST'],
    [notAllowed, timedOut, 'POST', 'GET'],
    [notAllowed, ['server-error', 500], 'POST', 'GET'],
    [notFound, notFound, 'GET', 'POST'],
    [bad, notAllowed, 'GET', 'POST'],
    [bad, ['server-error', 500], 'GET', 'POST'],
    [bad, ['blocked', 429], 'POST', 'GET'],
    [['server-error', 501], bad, 'POST', 'GET'],
  ] as const)('with GET %j and POST %j, selects %s; the other probe is %s', async (get, post, ...methods) => {
    const probes = await probeServer(get, post);
    expect([probes.selected.method, probes.other?.method ?? null]).toEqual(methods);
  });

  it('tries only the given method', async () => {
    expect(await probeServer(challenged, notAllowed, 'PUT')).toMatchObject({
      selected: { method: 'PUT' },
      other: null,
    });
  });
});

describe('createMethodNotes', () => {
  it.each([
    ['no method for a challenge', [challenged, challenged], []],
    ['the method that was tried before', [notAllowed, challenged], ['GET returned 405.']],
    [
      'another method when none is allowed',
      [notAllowed, notAllowed],
      ['POST returned 405.', 'If another method requires payment, try it, for example --method PUT.'],
    ],
    [
      'the allowed methods',
      [
        ['method-mismatch', 405, 'patch, PUT,HEAD, GET \u001b[2J'],
        ['method-mismatch', 405, 'PUT'],
      ],
      ['POST returned 405 (Allow: PUT).', 'The Allow header lists PUT, PATCH. Try --method PUT.'],
    ],
    [
      'POST when GET is free',
      [['free', 200], challenged],
      ['If another method requires payment, try it: --method POST.'],
    ],
    ['a missing response to the other method', [bad, timedOut], ['POST got no response.']],
  ] as const)('names %s', async (_, [get, post], notes) => {
    expect(createMethodNotes(await probeServer(get, post))).toEqual(notes);
  });

  it('names the allowed methods when the method of --method is not allowed', async () => {
    const probes = await probeServer(challenged, ['method-mismatch', 405, 'GET, POST'], 'PUT');
    expect(createMethodNotes(probes)).toEqual(['The Allow header lists GET, POST. Try --method GET.']);
  });
});
