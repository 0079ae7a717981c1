import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LogFile } from './log-file.ts';

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-log-'));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (path: string) => new LogFile(path, { report: (text) => lines.push(text), maxBytes: 10 });

it('keeps the newest file and three older ones, also after a restart', () => {
  const path = join(folder, 'web.log');
  for (let first = 0; first < 8; first += 2) {
    const log = open(path);
    for (const number of [first, first + 1]) log.write(`line ${number}\n`);
    log.close();
  }
  expect(readdirSync(folder).sort()).toEqual(['web.log', 'web.log.1', 'web.log.2', 'web.log.3']);
  expect(readFileSync(path, 'utf8')).toBe('line 7\n');
  expect(readFileSync(`${path}.3`, 'utf8')).toBe('line 4\n');
});

it('reports once that it cannot be written, and once that it is written again', () => {
  // A write to this path fails as on a full disk, because the path is a folder. It also fails for the root user.
  const path = join(folder, 'web.log');
  mkdirSync(path);
  const log = open(path);
  for (const text of ['lost\n', 'lost\n']) log.write(text);
  rmSync(path, { recursive: true });
  for (const text of ['a\n', 'b\n']) log.write(text);
  log.close();
  expect(readFileSync(path, 'utf8')).toBe('a\nb\n');
  expect(lines).toEqual([
    expect.stringMatching(/web\.log cannot be written \(EISDIR.*\); the service continues without this log$/),
    `${path} is written again`,
  ]);
});
