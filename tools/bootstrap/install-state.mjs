import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const getLockfilePath = (root) => join(root, 'package-lock.json');
const getStampPath = (root) => join(root, 'node_modules/.touchstone-install.json');
/**
 * Returns the path of npm's list of installed packages. npm writes this file at the end of an installation and removes
 * it at the start of the next one.
 */
const getTreePath = (root) => join(root, 'node_modules/.package-lock.json');

/**
 * Returns true when node_modules contains every package of package-lock.json. Either `npm install` or `npm ci` may have
 * installed them. Returns false after an interrupted installation.
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

/**
 * Stores a hash that shows that node_modules was installed from the current package-lock.json. The next start then
 * compares only this hash instead of all packages.
 */
export function markInstalled(root) {
  const draft = `${getStampPath(root)}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ sha256: hashLockfileAndTree(root) })}\n`);
    renameSync(draft, getStampPath(root));
  } catch {
    // If node_modules is not writable, every start compares all packages instead.
  }
}

/** Marks node_modules as incomplete, before an installation changes it. */
export function markIncomplete(root) {
  for (const path of [getStampPath(root), getTreePath(root)]) rmSync(path, { force: true });
}

function isComplete(root, tree) {
  return Object.keys(tree).every((path) => existsSync(join(root, path)));
}

/**
 * Returns true when lockfile and node_modules have the same versions at the same paths. Only packages for other
 * platforms may be missing in node_modules.
 */
function hasSameVersions(locked, tree) {
  const platformNode = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return Object.entries(locked).every(([path, { version, integrity, optional }]) => {
    if (!path.includes('node_modules/')) return true;
    const installed = tree[path];
    if (installed === undefined) return optional === true && path !== platformNode;
    return installed.version === version && installed.integrity === integrity;
  });
}

/** Returns the content of a JSON file; null for a missing or truncated file. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

/** Returns a hash of the lockfile and of npm's list of installed packages. It changes when either file changes. */
function hashLockfileAndTree(root) {
  const hash = createHash('sha256');
  for (const path of [getLockfilePath(root), getTreePath(root)]) hash.update(readFileSync(path));
  return hash.digest('hex');
}
