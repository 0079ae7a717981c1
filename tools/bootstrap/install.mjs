import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Options that take precedence over the user's settings: Node is an optional package. */
const COMPLETE = ['--include=prod', '--include=optional', '--engine-strict=false'];
/** Options that hide warnings about packages for other platforms. A user cannot resolve these warnings. */
const QUIET = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
/**
 * Variables of the `npm` that started this script. These variables would make `npm ci` omit packages or use another
 * folder.
 */
const OUTER_NPM_VARIABLES =
  /^npm_config_(prefix|local_prefix|global|location|workspaces?|include_workspace_root|omit|only|production|dry_run|package_lock_only)$/i;

/** Exit code of an interrupted installation, equal to the exit code of a program that Ctrl-C ended. */
const INTERRUPTED_EXIT_CODE = 130;

/**
 * Installs the dependencies in package-lock.json, unless they are installed. Installed development packages stay
 * installed.
 *
 * @param {string} root
 * @param {import('./runner.mjs').Runner} runner
 * @param {boolean} needsDev True if the task needs the development packages.
 * @returns {Promise<number>} Exit code; 0 when the dependencies are installed.
 */
export async function ensureInstalled(root, runner, needsDev) {
  const installedPath = join(root, 'node_modules/.package-lock.json');
  const earlierPath = join(root, 'node_modules/.package-lock.earlier.json');
  const installed = readPackages(installedPath) ?? {};
  const earlier = readPackages(earlierPath) ?? installed;
  const includesDev = needsDev || Object.values(earlier).some(({ dev }) => dev === true);
  if (isInstalled(root, installed, includesDev)) return 0;
  console.error('Installing dependencies (a minute or two)…');
  // `npm ci` removes all installed packages, also those that a running service uses. `npm install` adds and replaces
  // packages, and needs a complete earlier installation.
  const install = Object.keys(earlier).length > 0 ? ['install', '--no-save'] : ['ci'];
  // npm writes this list at the end of an installation. Without the list, the next start repeats an installation that
  // was interrupted or failed. The renamed list shows the next start that the packages of an earlier one are in place.
  if (existsSync(installedPath)) renameSync(installedPath, earlierPath);
  const { command, args, shell } = getNpmCommand();
  const options = [...QUIET, ...COMPLETE, includesDev ? '--include=dev' : '--omit=dev'];
  const { exitCode } = await runner.run(command, [...args, ...install, ...options], {
    cwd: root,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !OUTER_NPM_VARIABLES.test(name))),
    shell,
    // npm writes to standard error, so standard output contains only the output of the program.
    stdio: ['ignore', process.stderr, process.stderr],
    // After any other signal, npm spends some seconds on restoring files. The next `npm ci` would remove these files.
    stopSignal: 'SIGKILL',
  });
  if (runner.signal.aborted) {
    console.error('The installation was interrupted. The next start repeats it.');
    return INTERRUPTED_EXIT_CODE;
  }
  if (exitCode === 0) rmSync(earlierPath, { force: true });
  else
    console.error(
      `The dependencies could not be installed (npm ${install[0]} exited with ${exitCode}). The lines above are the output of npm.\n` +
        'Check the connection to the package registry and the free disk space (2 GB), then run the command again.',
    );
  return exitCode;
}

/**
 * Returns true when node_modules contains the locked version of each package. Both `npm install` and `npm ci` install
 * these versions.
 */
function isInstalled(root, installed, includesDev) {
  if (!Object.keys(installed).every((path) => existsSync(join(root, path)))) return false;
  // The Node package of this platform is missing if `node_modules` was installed on another platform.
  const nodePath = `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const locked = Object.entries(readPackages(join(root, 'package-lock.json')) ?? {});
  return locked.every(([path, { version, optional, dev, devOptional }]) => {
    if (!path.includes('node_modules/')) return true;
    if (installed[path] !== undefined) return installed[path].version === version;
    // Optional packages for other platforms may be missing.
    if (optional === true) return path !== nodePath;
    return !includesDev && (dev === true || devOptional === true);
  });
}

/** Reads the packages in a lockfile of npm, by their paths. Returns null if the file is missing or incomplete. */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return null;
  }
}

/** Returns the command of npm: the npm that started this script, or else the first npm on the PATH. */
function getNpmCommand() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (npm?.endsWith('npm-cli.js') && node !== undefined) return { command: node, args: [npm], shell: false };
  return { command: 'npm', args: [], shell: process.platform === 'win32' };
}
