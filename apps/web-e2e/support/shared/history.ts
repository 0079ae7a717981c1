import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/touchstone-e2e');
const TIME_LAPSE = 'apps/service/src/time-lapse-cli.ts';
/**
 * File with recorded listings. The directory of the sandbox returns these listings in addition to its own endpoints.
 */
export const LISTINGS = fileURLToPath(new URL('../../fixtures/listings.jsonl', import.meta.url));
/** Files that determine the simulated history, as pathspecs of git. */
const INPUTS = [
  ...['apps/sandbox', 'apps/service', 'apps/web-e2e/fixtures', 'libs', 'supabase/migrations'],
  ...['package-lock.json', ':(exclude,glob)**/*.test.*', ':(exclude,glob)**/testing/**'],
];
/**
 * Maximum age of a simulated history, in milliseconds. The tests expect verdicts that depend on the age of the
 * simulated changes.
 */
const MAX_AGE_MS = 6 * 3_600_000;
/** Beginning of the names of folders with an unfinished history. */
const BUILDING = 'building-';
/** Age after which an unfinished history is deleted, in milliseconds. No build of a history takes longer. */
const MAX_BUILD_MS = 3_600_000;
/** Interval between two probes of an endpoint, in milliseconds. */
const PROBE_INTERVAL_MS = 1_800_000;

const stateSchema = z.looseObject({ livedUntil: z.iso.datetime(), timeLapseDone: z.boolean() });

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });

/**
 * Computes the hash of all files on which a history depends. Without git, returns a random text, so that no stored
 * history is reused.
 */
function computeKey(): string {
  try {
    const added = git('ls-files', '--others', '--exclude-standard', '--', ...INPUTS)
      .split('\n')
      .filter(Boolean);
    const parts = [
      git('ls-files', '--stage', '--', ...INPUTS),
      git('diff', 'HEAD', '--', ...INPUTS),
      ...(added.length === 0 ? [] : [added.join('\n'), git('hash-object', '--', ...added)]),
    ];
    return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24);
  } catch {
    return randomUUID();
  }
}

function readState(folder: string) {
  return stateSchema.parse(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')));
}

/** Returns the age of the history in a data folder, in milliseconds; `Infinity` if the folder does not exist. */
function readAge(folder: string): number {
  return existsSync(folder) ? Date.now() - Date.parse(readState(folder).livedUntil) : Infinity;
}

/** Simulates 14 days in an empty folder. The simulation needs no build of the site. */
async function simulate(folder: string): Promise<void> {
  const child = spawn(process.execPath, [TIME_LAPSE], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder, SANDBOX_DAYS: '14', SANDBOX_LISTINGS: LISTINGS },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  // The first argument of the event `exit` is the exit code. The exit code is null after a signal.
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The simulation of the history ended with ${String(code)}.`);
}

/**
 * Returns the data folder with a history of 14 simulated days. The history is built if none exists for the current code,
 * or if the existing history is older than six hours. Other folders are deleted.
 */
export async function prepareHistory(): Promise<string> {
  const folder = join(CACHE, computeKey());
  if (readAge(folder) < MAX_AGE_MS) return folder;
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    // Another process may still be building a history. A build takes minutes.
    const isBuilding = name.startsWith(BUILDING) && Date.now() - statSync(path).mtimeMs < MAX_BUILD_MS;
    if (!isBuilding) rmSync(path, { recursive: true, force: true });
  }
  const building = mkdtempSync(join(CACHE, BUILDING));
  await simulate(building);
  renameSync(building, folder);
  return folder;
}

/**
 * Copies the history to an empty data folder. A service in this folder continues the history until the present time.
 */
export async function copyHistory(dataDir: string): Promise<void> {
  const source = await prepareHistory();
  for (const name of readdirSync(source))
    cpSync(join(source, name), join(dataDir, name), { recursive: true });
  if (readAge(dataDir) < PROBE_INTERVAL_MS) return;
  const state = { ...readState(dataDir), timeLapseDone: false };
  writeFileSync(join(dataDir, 'state.json'), JSON.stringify(state));
}
