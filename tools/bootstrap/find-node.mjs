import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const REQUIRED_MAJOR = 24;

/**
 * Finds the Node that runs Touchstone: the Node that is installed with the dependencies, or else the Node of this
 * script.
 *
 * @param {string} root
 * @returns {string} Path of the executable.
 * @throws {Error} When neither the installed Node nor the Node of this script is a working Node 24 or later.
 */
export function findNode(root) {
  const local = getLocalNodePath(root);
  // The installed Node may be unable to start, because it needs a certain C library. The check of its version also
  // proves that it starts.
  if (existsSync(local) && readMajorVersion(local) >= REQUIRED_MAJOR) return local;
  if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) return process.execPath;
  throw new Error(
    `Touchstone runs on Node ${REQUIRED_MAJOR}. npm has no package of it for ${process.platform} on ${process.arch}, and this is ` +
      `Node ${process.versions.node}: install Node ${REQUIRED_MAJOR} from https://nodejs.org and run the command again.`,
  );
}

function getLocalNodePath(root) {
  return process.platform === 'win32'
    ? join(root, `node_modules/node-win-${process.arch}/bin/node.exe`)
    : join(root, 'node_modules/.bin/node');
}

function readMajorVersion(node) {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  return Number(/^v(\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}
