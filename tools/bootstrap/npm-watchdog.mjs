import { readFileSync } from 'node:fs';

const POLL_MS = 1000;

/**
 * Calls a listener when the npm that started this script has died. An npm killed by SIGKILL sends no signal, and the
 * shell between npm and this script keeps running. The only sign is a change of this process's ancestors.
 *
 * @param {() => void} listener Called once.
 * @returns {() => void} Stops listening.
 */
export function onNpmDeath(listener) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const before = readAncestors();
  const timer = setInterval(() => {
    if (readAncestors() === before) return;
    clearInterval(timer);
    listener();
  }, POLL_MS);
  return () => clearInterval(timer);
}

/** Returns the ids of the parent and, when the parent is a shell started by npm, of npm. */
function readAncestors() {
  const parent = readProcess(process.ppid);
  const grandparent = readProcess(parent?.ppid);
  return grandparent?.isNpm ? `${process.ppid} ${parent.ppid}` : `${process.ppid}`;
}

/** Returns null for a process that has ended, and on systems without /proc. */
function readProcess(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { isNpm: /^Name:\s*npm/m.test(status), ppid: Number(/^PPid:\s*(\d+)$/m.exec(status)[1]) };
  } catch {
    return null;
  }
}
