import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockfilePath = (root) => join(root, 'package-lock.json');
const stampPath = (root) => join(root, 'node_modules/.touchstone-install.json');
/** npm writes this one as the last step of an install and removes it as one of the first of the next. */
const treePath = (root) => join(root, 'node_modules/.package-lock.json');

/**
 * Whether node_modules holds what package-lock.json says, all of it. A tree that somebody else's `npm install` brought
 * up to date counts, one that an interrupted install left half full does not.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  const tree = readJson(treePath(root))?.packages ?? null;
  if (tree === null || !isWhole(root, tree)) return false;
  if (readJson(stampPath(root))?.sha256 === hashOfBoth(root)) return true;
  if (!matches(JSON.parse(readFileSync(lockfilePath(root), 'utf8')).packages, tree)) return false;
  markInstalled(root);
  return true;
}

/** Records that the tree was installed from the present package-lock.json, which saves comparing the two next time. */
export function markInstalled(root) {
  const draft = `${stampPath(root)}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ sha256: hashOfBoth(root) })}\n`);
    renameSync(draft, stampPath(root));
  } catch {
    // A tree that belongs to somebody else serves as well without the stamp.
  }
}

/** Makes the tree count as unfinished, before an install touches it. */
export function markUnfinished(root) {
  for (const path of [stampPath(root), treePath(root)]) rmSync(path, { force: true });
}

function isWhole(root, tree) {
  return Object.keys(tree).every((path) => existsSync(join(root, path)));
}

/** The same versions in the same places; packages for other platforms may be missing, this platform's Node may not. */
function matches(locked, tree) {
  const platformNode = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return Object.entries(locked).every(([path, { version, integrity, optional }]) => {
    if (!path.includes('node_modules/')) return true;
    const installed = tree[path];
    if (installed === undefined) return optional === true && path !== platformNode;
    return installed.version === version && installed.integrity === integrity;
  });
}

/** Null for a file that is missing or was cut off while it was written. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** Over what was asked for and what npm says it installed: a tree changed by other hands does not pass for ours. */
function hashOfBoth(root) {
  const hash = createHash('sha256');
  for (const path of [lockfilePath(root), treePath(root)]) hash.update(readFileSync(path));
  return hash.digest('hex');
}
