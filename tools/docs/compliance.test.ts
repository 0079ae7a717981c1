import { expect, test } from 'vitest';
import { expectedDocument, presentDocument } from './compliance.ts';

test('docs/compliance.md says what the table of rules says (else run npm run docs:compliance)', async () => {
  expect(presentDocument()).toBe(await expectedDocument());
});
