import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createJudgementMemory } from './judgement-memory.ts';
import { judge, readEnvelopes, selectParts, toRuleInput, type Judgement } from './read-challenge.ts';
import { v2Response } from './testing/fixtures.ts';

const digest = (text: string): Uint8Array => hash('sha256', text, 'buffer');

/** Creates a judgement that differs from the judgements with other statuses. */
function judgeStatus(status: number): Judgement {
  const parts = selectParts({ ...v2Response(), status });
  return judge(toRuleInput(parts, readEnvelopes(parts), {}));
}

/** Creates a memory whose `request` returns true when the memory contained the judgement. */
function createMemory(options: { readonly digest: typeof digest; readonly maxBytes: number }) {
  const memory = createJudgementMemory(options.digest, options.maxBytes);
  const request = (key: string, status = 402): boolean => {
    let isKnown = true;
    const found = memory.get(key, () => {
      isKnown = false;
      return judgeStatus(status);
    });
    expect(found).toEqual(judgeStatus(status));
    return isKnown;
  };
  return request;
}

test('a judgement is kept when its key is requested for the second time', () => {
  const request = createMemory({ digest, maxBytes: 16 * 1_024 });
  expect(['a', 'b', 'a', 'a', 'b', 'b'].map((key) => request(key))).toEqual([
    ...[false, false, false, true, false, true],
  ]);
});

test('a set forgets the key that was not requested for longest', () => {
  // All keys get the same set, because the first word selects the set.
  const toSameSet = (text: string): Uint8Array => {
    const bytes = Uint8Array.from(digest(text));
    return bytes.fill(0, 0, 4);
  };
  const request = createMemory({ digest: toSameSet, maxBytes: 16 * 1_024 });
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8'];
  for (const key of [...keys, ...keys]) request(key);
  expect(keys.map((key) => request(key))).toEqual(keys.map(() => true));
  request('9');
  expect(keys.slice(1).map((key) => request(key))).toEqual(keys.slice(1).map(() => true));
  expect(request('1')).toBe(false);
});

test('a full memory forgets everything, and learns again', () => {
  const request = createMemory({ digest, maxBytes: 64 * 1_024 });
  request('a', 402);
  request('a', 402);
  expect(request('a', 402)).toBe(true);
  for (let status = 410; status < 440; status += 1) {
    request(String(status), status);
    request(String(status), status);
  }
  expect(request('a', 402)).toBe(false);
  request('a', 402);
  expect(request('a', 402)).toBe(true);
});

test('keys that are requested once do not make the memory forget judgements', () => {
  const request = createMemory({ digest, maxBytes: 64 * 1_024 });
  request('a', 402);
  request('a', 402);
  for (let status = 410; status < 440; status += 1) request(String(status), status);
  expect(request('a', 402)).toBe(true);
});

test('a judgement that is larger than the memory is not kept', () => {
  const request = createMemory({ digest, maxBytes: 2_000 });
  expect([request('a'), request('a'), request('a')]).toEqual([false, false, false]);
});
