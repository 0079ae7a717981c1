import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
/** Age of the last heartbeat at which a lock counts as abandoned, in milliseconds. */
const STALE_MS = 15_000;
/**
 * Maximum wait for an npm process that is still running after the lock's holder has died, in milliseconds. An
 * installation takes less time.
 */
const MAX_INSTALL_MS = 15 * 60_000;
const POLL_MS = 300;

/**
 * Acquires the installation lock, which only one process can hold at a time. If the holder is killed, its lock expires
 * after some seconds. The lock stays valid while an npm process of the killed holder is still running.
 *
 * @param {string} path Path of the lock file.
 * @param {{ signal: AbortSignal, onWait: () => void }} options `onWait` is called once when another process holds the
 *   lock.
 * @returns {Promise<{ setWorker(pid: number): void, release(): void }>} The held lock. `setWorker` records the npm
 *   process. Rejects when the signal aborts.
 */
export async function acquireInstallLock(path, { signal, onWait }) {
  const token = randomUUID();
  let waited = false;
  // Other users cannot access this folder, because the service later stores keys in it.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await tryAcquire(path, token))) {
    if (!waited) onWait();
    waited = true;
    await sleep(POLL_MS, undefined, { signal });
  }
  const heartbeat = setInterval(() => refreshHeartbeat(path, token), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    setWorker: (pid) => writeFileSync(path, JSON.stringify({ token, workerPid: pid })),
    release: () => {
      clearInterval(heartbeat);
      if (readLock(path)?.token === token) rmSync(path, { force: true });
    },
  };
}

async function tryAcquire(path, token) {
  if (create(path, token)) return true;
  if (!isStale(path)) return false;
  // Two processes may find the same stale lock. The second process then replaces the lock of the first one, so each
  // process checks after a pause that it still holds the lock.
  const stalePath = `${path}.${token}`;
  try {
    renameSync(path, stalePath);
  } catch {
    return false;
  }
  rmSync(stalePath, { force: true });
  if (!create(path, token)) return false;
  await sleep(POLL_MS / 3);
  return readLock(path)?.token === token;
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
    if (ageMs < STALE_MS) return false;
    const workerPid = readLock(path)?.workerPid ?? null;
    return ageMs > MAX_INSTALL_MS || workerPid === null || !isAlive(workerPid);
  } catch {
    // Another process released the lock in the meantime.
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

function refreshHeartbeat(path, token) {
  if (readLock(path)?.token !== token) return;
  const now = new Date();
  utimesSync(path, now, now);
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
