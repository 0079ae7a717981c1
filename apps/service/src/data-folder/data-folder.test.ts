import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDataFolder, writePrivateFile } from './data-folder.ts';

let parent: string;
let path: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'touchstone-folder-'));
  path = join(parent, 'data');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(parent, { recursive: true, force: true });
});

describe('openDataFolder', () => {
  it('keeps keys and state for the next start, readable by the owner only', () => {
    const first = openDataFolder(path);
    expect(first.state()).toMatchObject({ livedUntil: null, timeLapseDone: false });
    first.save({ timeLapseDone: true });
    first.release();
    const second = openDataFolder(path);
    expect(second.keys).toEqual(first.keys);
    expect(second.state()).toMatchObject({ livedUntil: null, timeLapseDone: true });
    expect(statSync(join(path, 'state.json')).mode & 0o777).toBe(0o600);
    second.release();
  });

  it('is locked until its release', () => {
    const folder = openDataFolder(path);
    expect(() => openDataFolder(path)).toThrow(`in use by process ${process.pid}`);
    folder.release();
  });

  it('rejects a damaged state file, and removes its lock', () => {
    openDataFolder(path).release();
    writeFileSync(join(path, 'state.json'), '{"keys":');
    expect(() => openDataFolder(path)).toThrow('is damaged');
    rmSync(join(path, 'state.json'));
    openDataFolder(path).release();
  });

  it('rejects a database without a state file', () => {
    mkdirSync(join(path, 'db'), { recursive: true });
    expect(() => openDataFolder(path)).toThrow('has a database and no state.json');
  });

  it('rejects a folder that is not writable', () => {
    writeFileSync(`${path}-file`, '');
    expect(() => openDataFolder(`${path}-file/below`)).toThrow(
      /^DATA_DIR must be a writable folder; received .*below/,
    );
  });
});

it('syncs the content before the rename, and the folder after it', () => {
  mkdirSync(path);
  const file = join(path, 'key.txt');
  const steps: string[] = [];
  const opened = new Map<number, string>();
  const { openSync, fsyncSync, renameSync } = fs;
  vi.spyOn(fs, 'openSync').mockImplementation((...call) => {
    const descriptor = openSync(...call);
    opened.set(descriptor, String(call[0]));
    return descriptor;
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    const synced = String(opened.get(descriptor));
    steps.push(synced === path ? 'sync folder' : `sync ${readFileSync(synced, 'utf8')}`);
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
