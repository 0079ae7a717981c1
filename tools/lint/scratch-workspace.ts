import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Files of the repository that the test workspace copies unchanged, because they determine the allowed imports:
 * configuration, rules and locked dependencies.
 */
const rootFiles = [
  'eslint.config.js',
  'nx.json',
  'package-lock.json',
  'package.json',
  'tools/lint',
  'tsconfig.base.json',
];

/**
 * Temporary workspace outside the repository. It has the same packages, tags and rules, and source files that a test
 * writes.
 */
export interface ScratchWorkspace {
  readonly root: string;
  /** Writes a source file. Its path is relative to the workspace. */
  write(path: string, source: string): Promise<void>;
  /** Lints the whole workspace in a child process. Returns the errors of each file, as `rule/message` ids. */
  lint(): Promise<ReadonlyMap<string, readonly string[]>>;
  remove(): Promise<void>;
}

/**
 * Creates a temporary workspace with every package of the repository. Each package has its real name, tags and external
 * dependencies, and an index file that exports its name. Dependencies between packages are removed, so that the project
 * graph contains only the imports that a test writes.
 */
export async function createScratchWorkspace(): Promise<ScratchWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'touchstone-boundaries-')));
  const write = async (path: string, source: string): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), source);
  };
  for (const file of rootFiles) {
    await cp(join(repository, file), join(root, file), {
      recursive: true,
      filter: (path) => !path.endsWith('.test.ts'),
    });
  }
  await write(
    'tsconfig.json',
    JSON.stringify({ extends: './tsconfig.base.json', include: ['apps', 'libs', 'tools'] }),
  );
  const packages = await copyPackages(write);
  await linkDependencies(root, packages);
  return { root, write, lint: () => lint(root), remove: () => rm(root, { recursive: true }) };
}

async function copyPackages(write: ScratchWorkspace['write']): Promise<readonly string[]> {
  const packages: string[] = [];
  for (const group of ['apps', 'libs']) {
    for (const name of await readdir(join(repository, group))) {
      const folder = `${group}/${name}`;
      const manifest = await readFile(join(repository, folder, 'package.json'), 'utf8');
      await write(`${folder}/package.json`, JSON.stringify(JSON.parse(manifest, withoutOwnPackages)));
      await write(`${folder}/src/index.ts`, `export const name = '${name}';\n`);
      packages.push(folder);
    }
  }
  return packages;
}

/** JSON reviver that removes every property with the name of a repository package. */
function withoutOwnPackages(key: string, value: unknown): unknown {
  return key.startsWith('@touchstone/') ? undefined : value;
}

/**
 * Links the npm packages that the repository has installed. Repository packages link to their copies in this workspace.
 */
async function linkDependencies(root: string, packages: readonly string[]): Promise<void> {
  const modules = join(root, 'node_modules');
  await mkdir(join(modules, '@touchstone'), { recursive: true });
  for (const entry of await readdir(join(repository, 'node_modules'))) {
    if (entry !== '@touchstone' && !entry.startsWith('.')) {
      await symlink(join(repository, 'node_modules', entry), join(modules, entry));
    }
  }
  for (const folder of packages) {
    await symlink(join(root, folder), join(modules, '@touchstone', folder.replace(/^\w+\//, '')));
  }
}

interface LintedFile {
  readonly filePath: string;
  readonly messages: readonly {
    readonly ruleId: string | null;
    readonly messageId?: string;
    readonly message: string;
  }[];
}

async function lint(root: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { stdout, stderr } = await runEslint(root);
  if (!stdout.startsWith('[')) throw new Error(`ESLint did not report: ${stdout}${stderr}`);
  const files = JSON.parse(stdout) as readonly LintedFile[];
  return new Map(
    files.map((file) => [
      file.filePath.slice(root.length + 1),
      file.messages.map(({ ruleId, messageId, message }) => `${ruleId ?? message}/${messageId ?? ''}`),
    ]),
  );
}

function runEslint(root: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const eslint = join(root, 'node_modules/eslint/bin/eslint.js');
  return new Promise((resolve) => {
    // ESLint exits with status 1 when it finds errors. The status is ignored, because the caller reads the report.
    execFile(
      process.execPath,
      [eslint, '--format', 'json', 'apps', 'libs'],
      { cwd: root },
      (_, stdout, stderr) => {
        resolve({ stdout, stderr });
      },
    );
  });
}
