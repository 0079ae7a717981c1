import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
/** Age of a lock's last heartbeat after which its holder counts as dead, in milliseconds. */
const STALE_MS = 15_000;
/** Maximum wait for an npm process that outlived the lock's holder, in milliseconds. No installation takes longer. */
const MAX_INSTALL_MS = 15 * 60_000;
const POLL_MS = 300;

/**
 * Acquires the installation lock, which one process at a time can hold. The lock of a killed process expires after
 * some seconds, unless the npm process that it started is still running.
 *
 * @param {string} path Path of the lock file.
 * @param {{ signal: AbortSignal, onWait: () => void }} options `onWait` is called once when another process holds the lock.
 * @returns {Promise<{ setWorker(pid: number): void, release(): void }>} `setWorker` records the
 * process that installs. Rejects when the signal aborts.
 */
export async function acquireInstallLock(path, { signal, onWait }) {
  const token = randomUUID();
  let waited = false;
  // The service later stores keys in this folder.
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
  // The rename is atomic, but two processes may have found the same stale lock: the last one to write holds it.
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
