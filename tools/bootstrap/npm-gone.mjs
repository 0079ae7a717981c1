import { readFileSync } from 'node:fs';

const pollMs = 1000;

/**
 * Listens for the end of the npm that started this script. One that is killed outright tells nobody, and the shell
 * between the two goes on waiting; all that shows is that our ancestors are no longer the ones they were.
 *
 * @param {() => void} listener Called once.
 * @returns {() => void} Stops listening.
 */
export function onNpmGone(listener) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const before = lineage();
  const watching = setInterval(() => {
    if (lineage() === before) return;
    clearInterval(watching);
    listener();
  }, pollMs);
  return () => clearInterval(watching);
}

/** Our parent and, where that is a shell that npm started, npm. No further: the terminal may close on purpose. */
function lineage() {
  const parent = about(process.ppid);
  const grandparent = about(parent?.ppid);
  return grandparent?.isNpm ? `${process.ppid} ${parent.ppid}` : `${process.ppid}`;
}

/** Null for a process that is gone, and on systems without /proc. */
function about(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { isNpm: /^Name:\s*npm/m.test(status), ppid: Number(/^PPid:\s*(\d+)$/m.exec(status)[1]) };
  } catch {
    return null;
  }
}
