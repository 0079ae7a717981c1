import { readFileSync } from 'node:fs';

const POLL_MS = 1000;

/**
 * Calls a listener when the npm that started this script has died. If SIGKILL ends npm, this script receives no signal,
 * and the shell between npm and this script keeps running. The death is visible only as a change of the parent
 * processes.
 *
 * @param {() => void} listener Called at most once.
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

/**
 * Returns the process id of the parent. If the parent is a shell that npm started, also returns the process id of npm.
 */
function readAncestors() {
  const parent = readProcess(process.ppid);
  const grandparent = readProcess(parent?.ppid);
  return grandparent?.isNpm ? `${process.ppid} ${parent.ppid}` : `${process.ppid}`;
}

/**
 * Reads the process id of the parent of process `pid`. `isNpm` is true if process `pid` is npm. Returns null if the
 * process has ended or the system has no /proc.
 */
function readProcess(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { isNpm: /^Name:\s*npm/m.test(status), ppid: Number(/^PPid:\s*(\d+)$/m.exec(status)[1]) };
  } catch {
    return null;
  }
}
