import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const heartbeatMs = 2_000;
/** A holder that has not touched its lock for this long is gone. */
const staleMs = 15_000;
/** No install takes longer; an npm that outlived its holder is waited for no further than this. */
const orphanMs = 15 * 60_000;
const pollMs = 300;

/**
 * Waits for the right to install, which one process at a time has. The lock outlives a holder that was killed by
 * seconds only, unless the npm it started is still at work.
 *
 * @param {string} path Of the lock file.
 * @param {{ signal: AbortSignal, onWait: () => void }} options `onWait` is called once if somebody else holds it.
 * @returns {Promise<{ worker(pid: number): void, release(): void }>} `worker` names the process that does the work.
 * Rejects when the signal aborts.
 */
export async function acquireInstallLock(path, { signal, onWait }) {
  const token = randomUUID();
  let waited = false;
  // The folder holds keys once the service has used it.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await tryAcquire(path, token))) {
    if (!waited) onWait();
    waited = true;
    await sleep(pollMs, undefined, { signal });
  }
  const heartbeat = setInterval(() => touch(path, token), heartbeatMs);
  heartbeat.unref();
  return {
    worker: (pid) => writeFileSync(path, JSON.stringify({ token, workerPid: pid })),
    release: () => {
      clearInterval(heartbeat);
      if (read(path)?.token === token) rmSync(path, { force: true });
    },
  };
}

async function tryAcquire(path, token) {
  if (create(path, token)) return true;
  if (!isStale(path)) return false;
  // Moving it away is atomic, but two may have found the same stale lock: whoever came last holds it.
  const aside = `${path}.${token}`;
  try {
    renameSync(path, aside);
  } catch {
    return false;
  }
  rmSync(aside, { force: true });
  if (!create(path, token)) return false;
  await sleep(pollMs / 3);
  return read(path)?.token === token;
}

function create(path, token) {
  try {
    writeFileSync(path, JSON.stringify({ token, workerPid: null }), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(path) {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs;
    if (ageMs < staleMs) return false;
    const workerPid = read(path)?.workerPid ?? null;
    return ageMs > orphanMs || workerPid === null || !isAlive(workerPid);
  } catch {
    // It was released between the two looks at it.
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function touch(path, token) {
  if (read(path)?.token !== token) return;
  const now = new Date();
  utimesSync(path, now, now);
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
