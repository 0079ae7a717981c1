import { REFUSAL_FILE } from '@touchstone/contract';
import { expect, it } from 'vitest';
import { isRefusal, parseHostFile } from './host-file.ts';

it.each([
  [REFUSAL_FILE.line, true],
  ['# Touchstone\r\n  DELIVERIES :  Refuse  # all\r\n', true],
  ['\uFEFFdeliveries:refuse', true],
  ['deliveries: allow', false],
  ['# deliveries: refuse', false],
  ['no-deliveries: refuse', false],
  ['deliveries: refused', false],
  ['<html>\n<p>deliveries: refuse</p></html>', false],
  ['', false],
])('reads the file %j as %s', (file, expected) => {
  expect(isRefusal(parseHostFile(file))).toBe(expected);
});
