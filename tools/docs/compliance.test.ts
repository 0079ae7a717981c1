import { expect, test } from 'vitest';
import { generateComplianceDocument, readComplianceDocument } from './compliance.ts';

test('docs/compliance.md matches the rule tables (if not, run npm run docs:compliance)', async () => {
  expect(readComplianceDocument()).toBe(await generateComplianceDocument());
});
