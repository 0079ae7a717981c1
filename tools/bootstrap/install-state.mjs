import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const getLockfilePath = (root) => join(root, 'package-lock.json');
const getStampPath = (root) => join(root, 'node_modules/.touchstone-install.json');
/** npm writes this file in the last step of an installation and removes it in the first steps of the next one. */
const getTreePath = (root) => join(root, 'node_modules/.package-lock.json');

/**
 * Returns true when node_modules contains every package of package-lock.json. A tree that `npm install` brought up to
 * date counts as installed; a tree that an interrupted installation left incomplete does not.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function isInstalled(root) {
  const tree = readJson(getTreePath(root))?.packages ?? null;
  if (tree === null || !isComplete(root, tree)) return false;
  if (readJson(getStampPath(root))?.sha256 === hashLockfileAndTree(root)) return true;
  if (!hasSameVersions(JSON.parse(readFileSync(getLockfilePath(root), 'utf8')).packages, tree)) return false;
  markInstalled(root);
  return true;
}

/** Records that the tree was installed from the current package-lock.json, so that the next start need not compare them. */
export function markInstalled(root) {
  const draft = `${getStampPath(root)}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ sha256: hashLockfileAndTree(root) })}\n`);
    renameSync(draft, getStampPath(root));
  } catch {
    // A tree that is not writable works without the stamp.
  }
}

/** Marks the tree as incomplete before an installation changes it. */
export function markIncomplete(root) {
  for (const path of [getStampPath(root), getTreePath(root)]) rmSync(path, { force: true });
}

function isComplete(root, tree) {
  return Object.keys(tree).every((path) => existsSync(join(root, path)));
}

/** Returns true when both have the same versions at the same paths. Only packages for other platforms may be missing. */
function hasSameVersions(locked, tree) {
  const platformNode = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return Object.entries(locked).every(([path, { version, integrity, optional }]) => {
    if (!path.includes('node_modules/')) return true;
    const installed = tree[path];
    if (installed === undefined) return optional === true && path !== platformNode;
    return installed.version === version && installed.integrity === integrity;
  });
}

/** Returns null for a file that is missing or truncated. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** Hashes both the lockfile and npm's list of installed packages, so that a change of either is noticed. */
function hashLockfileAndTree(root) {
  const hash = createHash('sha256');
  for (const path of [getLockfilePath(root), getTreePath(root)]) hash.update(readFileSync(path));
  return hash.digest('hex');
}
