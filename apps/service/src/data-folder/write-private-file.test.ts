import fs, { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { writePrivateFile } from './write-private-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-private-'));
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it('syncs the content before the rename, and the folder after it', () => {
  const file = join(folder, 'key.txt');
  const steps: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync, renameSync } = fs;
  vi.spyOn(fs, 'openSync').mockImplementation((...call) => {
    const descriptor = openSync(...call);
    paths.set(descriptor, String(call[0]));
    return descriptor;
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    const path = String(paths.get(descriptor));
    steps.push(path === folder ? 'sync folder' : `sync ${readFileSync(path, 'utf8')}`);
    fsyncSync(descriptor);
  });
  vi.spyOn(fs, 'renameSync').mockImplementation((...call) => {
    steps.push('rename');
    renameSync(...call);
  });
  writePrivateFile(file, 'secret');
  expect(steps).toEqual(['sync secret', 'rename', 'sync folder']);
  expect(readFileSync(file, 'utf8')).toBe('secret');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});
