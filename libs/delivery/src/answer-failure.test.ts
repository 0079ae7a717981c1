import { expect, it } from 'vitest';
import { describeAnswerFailure } from './answer-failure.ts';

type Answer = Parameters<typeof describeAnswerFailure>[0];

const failed = (
  phase: 'resolve' | 'connect' | 'tls' | 'processing' | 'transfer',
  outcome: Answer['outcome'],
) => ({
  outcome,
  failure: { phase, code: 'E', message: '' },
  bodyEnd: null,
});

it.each<[string | null, Answer]>([
  [null, { outcome: 'free', failure: null, bodyEnd: 'complete' }],
  [null, { outcome: 'server-error', failure: null, bodyEnd: 'complete' }],
  ['too-large', { outcome: 'free', failure: null, bodyEnd: 'size-limit' }],
  ['timeout', { ...failed('transfer', 'timeout'), bodyEnd: 'deadline' }],
  ['closed', { ...failed('transfer', 'connect-error'), bodyEnd: 'closed' }],
  ['invalid-response', { ...failed('transfer', 'protocol-error'), bodyEnd: 'undecodable' }],
  ['not-sent', failed('resolve', 'dns-error')],
  ['not-sent', failed('connect', 'timeout')],
  ['not-sent', failed('tls', 'tls-error')],
  ['not-sent', failed('connect', 'self-failure')],
  ['internal', failed('processing', 'self-failure')],
  ['timeout', failed('processing', 'timeout')],
  ['closed', failed('processing', 'connect-error')],
  ['invalid-response', failed('processing', 'protocol-error')],
])('the failure is %j for %j', (failure, answer) => {
  expect(describeAnswerFailure(answer)).toBe(failure);
});
