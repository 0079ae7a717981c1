import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRegistryEntry } from '@touchstone/contract';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../command-tools.ts';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { startEndpoint, startGuardService } from '../testing/guarded-endpoint.ts';
import {
  createPackedProject,
  findOlderNode,
  type PackedProject,
  readNodeVersion,
  SERVICE,
} from '../testing/packed-project.ts';
import { createKeys, createSignedReport } from '../testing/reports.ts';
import { jsonLines } from '../testing/run-command.ts';
import { createSavedResponse } from '../testing/saved-response.ts';
import { openSeller } from '../testing/seller.ts';
import { readAction } from './testing/action.ts';
import { linkExamplePackages, readGuardExample } from './testing/guard-example.ts';
import { TYPED_PROGRAM, TYPED_PROGRAM_CONFIG } from './testing/typed-program.ts';
import { listDeclaredDependencies, listLicensed, readSbom } from './testing/read-sbom.ts';

const TSC = fileURLToPath(import.meta.resolve('typescript/lib/tsc.js'));

/** Node.js executables to test with: the one that runs the tests, and an older version if one is installed. */
const NODES = [process.execPath, findOlderNode()].flatMap((program) =>
  program === null ? [] : [{ program, version: readNodeVersion(program) }],
);

let project: PackedProject;
beforeAll(async () => {
  project = await createPackedProject();
});
afterAll(() => project.remove());

function write(name: string, content: unknown): string {
  const file = join(project.folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Path of the start script of the installed command line, relative to the project folder. */
const START = 'node_modules/@touchstone/cli/dist/touchstone.js';

describe('the packages', () => {
  it('need no other package, and contain licenses and instructions', () => {
    expect(readdirSync(join(project.folder, 'node_modules/@touchstone')).toSorted()).toEqual([
      'cli',
      'guard',
    ]);
    for (const name of ['cli', 'guard']) {
      const folder = join(project.folder, 'node_modules/@touchstone', name);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
      expect(manifest).toMatchObject({ name: `@touchstone/${name}`, version: VERSION, license: 'MIT' });
      expect(manifest).not.toHaveProperty('dependencies');
      expect(manifest).not.toHaveProperty('private');
      for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(folder, file))).toBe(true);
      const licenses = readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
      expect(licenses).toMatch(/^canonicalize \d+\.\d+\.\d+\n=+\n\n[^]*Apache License/m);
      expect(licenses.includes('viem')).toBe(name === 'cli');
    }
  });

  it('have bills of materials with exactly the packages whose licenses they contain', () => {
    for (const name of ['cli', 'guard'] as const) {
      const { described, packages } = readSbom(`${project.packages[name]}.cdx.json`);
      expect(described).toBe(`@touchstone/${name}@${VERSION}`);
      const licenses = readFileSync(join(project.packages[name], 'THIRD-PARTY-LICENSES.txt'), 'utf8');
      expect(packages).toEqual(listLicensed(licenses));
    }
  });

  it('come with a bill of materials of all production dependencies, and of no others', () => {
    const { packages } = readSbom(join(project.packages.cli, '../service.cdx.json'));
    const listed = new Set(packages.map((each) => each.slice(0, each.lastIndexOf('@'))));
    const declared = listDeclaredDependencies();
    expect(declared.length).toBeGreaterThan(20);
    expect(declared.filter((name) => !listed.has(name))).toEqual([]);
    expect(['eslint', 'vitest', 'solc'].filter((name) => listed.has(name))).toEqual([]);
  });

  it('have the name of the MCP server in the registry entry', () => {
    const { cli, registryEntry } = project.packages;
    const [manifest, entry] = [join(cli, 'package.json'), registryEntry].map(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>,
    );
    expect(entry).toEqual(createRegistryEntry(SERVICE, VERSION));
    expect(manifest?.['mcpName']).toBe(entry?.['name']);
  });
});

describe.each(NODES)('the installed command line with Node.js $version', ({ program }) => {
  const touchstone = (...args: readonly string[]) => project.run(program, [START, ...args]);

  it('prints its version', async () => {
    expect(await touchstone('--version')).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('lints a saved response', async () => {
    const { code, stdout } = await touchstone(
      'lint',
      '--json',
      '--file',
      write('saved.json', createSavedResponse()),
    );
    expect([code, jsonLines(stdout)[0]?.['verdict']]).toEqual([0, 'pass']);
  });

  it('verifies a report', async () => {
    const keys = await createKeys('https://touchstone.example');
    const report = write('report.json', await createSignedReport(keys, 'https://touchstone.example'));
    const file = write('keys.json', keys.published);
    const { code, stdout, stderr } = await touchstone('verify', '--json', '--keys', file, report);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(jsonLines(stdout)[0]).toMatchObject({ verdict: 'ok', signature: 'valid' });
  });

  it('decides on a payment', async () => {
    await using service = await startGuardService();
    await using healthy = await startEndpoint();
    await using swapped = await startEndpoint([{ payTo: '0x1111111111111111111111111111111111111111' }]);
    const args = ['guard', '--json', '--allow-private', '--service', service.base];
    const pay = await touchstone(...args, healthy.url);
    expect([pay.code, jsonLines(pay.stdout)[0]?.['action']]).toEqual([0, 'pay']);
    const abort = await touchstone(...args, swapped.url);
    expect([abort.code, jsonLines(abort.stdout)[0]?.['action']]).toEqual([1, 'abort']);
  });
});

describe('the installed command line', () => {
  it('runs with npx and an older Node.js, without an installation', async () => {
    const saved = write('saved.json', createSavedResponse());
    // The folder has its own manifest, so that npx does not find the package that the project has installed.
    const folder = join(project.folder, 'empty');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{}');
    const args = ['--yes', '--offline', '--prefix', folder, '--package', project.cliTarball, 'touchstone'];
    const path = [dirname(NODES.at(-1)?.program ?? ''), process.env['PATH'] ?? ''].join(delimiter);
    const command = [...args, 'lint', '--json', '--file', saved];
    const { code, stdout } = await project.run('npx', command, { PATH: path });
    expect([code, jsonLines(stdout)[0]?.['verdict']]).toEqual([0, 'pass']);
  });

  it('pays with a wallet, for which it loads more code', async () => {
    using buyer = openBuyer();
    await using seller = await openSeller();
    const { stderr } = await project.run(
      'touchstone',
      ['buy', 'trust', '--service', seller.base, '--data-dir', buyer.home, '--yes', RESOURCE],
      { TOUCHSTONE_KEY: buyer.key, XDG_STATE_HOME: buyer.home },
    );
    expect(seller.signatures).toHaveLength(1);
    expect(stderr).not.toContain('    at ');
  });
});

describe('the installed MCP server', () => {
  it('serves MCP over standard input and output', async () => {
    const child = project.start('touchstone', ['mcp', '--service', SERVICE]);
    const clientInfo = { name: 'test', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const [response] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(response.toString())).toMatchObject({ result: { serverInfo: { version: VERSION } } });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});

describe('the installed guard', () => {
  it.each(NODES)(
    'pays and refuses as in the first example of its document, with Node.js $version',
    async ({ program }) => {
      await using service = await startGuardService();
      await using healthy = await startEndpoint();
      await using swapped = await startEndpoint([{ payTo: '0x1111111111111111111111111111111111111111' }]);
      linkExamplePackages(project.folder);
      write('touchstone-keys.json', service.keys.published);
      write('guarded.js', readGuardExample(service.base));
      write(
        'pay-guarded.js',
        `import { fetchKeys, PaymentRefusedError } from '@touchstone/guard';
       import { verifyOffer } from '@touchstone/guard/offers';
       import { fetchAndPay } from './guarded.js';
       const [service, healthy, swapped] = process.argv.slice(2);
       await fetchAndPay(healthy);
       const refused = await fetchAndPay(swapped).catch((error) => error);
       const { length } = await fetchKeys(service);
       const { state } = await verifyOffer({ challenge: {}, terms: {}, now: 0, fetch });
       console.log(length, refused instanceof PaymentRefusedError, refused.decision.reasons[0].code, state);`,
      );
      const env = { PRIVATE_KEY: generatePrivateKey() };
      const args = ['pay-guarded.js', service.base, healthy.url, swapped.url];
      const { stdout, stderr } = await project.run(program, args, env);
      expect([stdout, stderr]).toEqual(['1 true pay-to-mismatch none\n', '']);
      expect(healthy.headerNames).toContain('payment-signature');
      expect(swapped.headerNames).not.toContain('payment-signature');
    },
  );

  it('sends the payment of an ended program again, from the journal in a file', async () => {
    await using service = await startGuardService();
    await using endpoint = await startEndpoint();
    linkExamplePackages(project.folder);
    write('touchstone-keys.json', service.keys.published);
    const example = readGuardExample(service.base).replace('keys });', 'keys, journal });');
    write(
      'journaled.js',
      `import { createFileJournal } from '@touchstone/guard/file';
       const journal = createFileJournal('payments.jsonl');
       ${example}
       await fetchAndPay(process.argv[2]);`,
    );
    const env = { PRIVATE_KEY: generatePrivateKey() };
    for (const _run of [1, 2]) await project.run(process.execPath, ['journaled.js', endpoint.url], env);
    const journal = jsonLines(readFileSync(join(project.folder, 'payments.jsonl'), 'utf8'));
    const kinds = journal.map(({ kind }) => kind).filter((kind) => kind !== 'status');
    expect(kinds).toEqual(['payment', 'response', 'resend', 'response']);
  });

  it('has types that agree with its code, with the strictest options and without types of Node.js', async () => {
    write('pay.ts', TYPED_PROGRAM);
    write('tsconfig.json', TYPED_PROGRAM_CONFIG);
    const { code, stdout } = await project.run(process.execPath, [TSC, '-p', 'tsconfig.json']);
    expect([stdout, code]).toEqual(['', 0]);
  });
});

describe.skipIf(process.platform === 'win32')('the GitHub Action', () => {
  const action = readAction();

  /** Runs a step of the GitHub Action. The values of the inputs are in environment variables, as on a GitHub runner. */
  async function runStep(name: string, inputs: Readonly<Record<string, string>> = {}) {
    const step = action.runs.steps.find((one) => one.name === name);
    const read = (input = '') => inputs[input] ?? action.inputs[input]?.default ?? '';
    const env = Object.entries(step?.env ?? {}).map(([variable, value]) => [
      variable,
      value.replace(/^\$\{\{ inputs\.([a-z-]+) \}\}$/, (_, input: string) => read(input)),
    ]);
    const script = write('step.sh', step?.run ?? 'exit 99');
    const output = write('output', '');
    const variables = { ...(Object.fromEntries(env) as Record<string, string>), GITHUB_OUTPUT: output };
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', script];
    const result = await project.run('bash', args, variables);
    return { ...result, output: readFileSync(output, 'utf8') };
  }

  it('installs the version of the command line that it belongs to', () => {
    expect(action.inputs['version']?.default).toBe(VERSION);
  });

  it('finds a Node.js that is new enough', async () => {
    expect(await runStep('Find Node.js')).toMatchObject({ code: 0, output: 'found=true\n' });
  });

  it('succeeds for an endpoint without errors, and fails for the faults of fail-on', async () => {
    await using endpoint = await startEndpoint();
    await using faulty = await startEndpoint([{ amount: 10_000 }]);
    const lint = async (inputs: Readonly<Record<string, string>>) =>
      runStep('Lint the endpoint', { url: endpoint.url, 'allow-private': 'true', ...inputs });
    expect(await lint({})).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('GET returned 402') as unknown,
    });
    expect((await lint({ 'fail-on': 'warning', method: 'GET' })).code).toBe(1);
    const failed = await lint({ url: faulty.url });
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('Payable with errors')]);
    expect((await lint({ url: faulty.url, 'fail-on': 'unpayable' })).code).toBe(0);
    expect((await lint({ method: 'TRACE' })).code).toBe(2);
    expect((await lint({ url: '$(touch injected)' })).code).toBe(2);
    expect(existsSync(join(project.folder, 'injected'))).toBe(false);
  });

  it('executes no workflow command in the text of an endpoint', async () => {
    const command = '\n::error::a ##[error]b';
    await using endpoint = await startEndpoint([{ payTo: command, extra: { name: command } }]);
    const inputs = { url: endpoint.url, 'allow-private': 'true' };
    for (const [method, code] of [
      ['', 1],
      [command, 2],
    ] as const) {
      const { stdout, stderr, ...result } = await runStep('Lint the endpoint', { ...inputs, method });
      expect([result.code, stderr]).toEqual([code, '']);
      expect(stdout).toContain('error::a');
      expect(stdout).not.toContain('##[');
      const commands = stdout.split('\n').filter((line) => line.trimStart().startsWith('::'));
      const [, token = ''] = /^::stop-commands::([0-9a-f-]{36})$/.exec(commands[0] ?? '') ?? [];
      expect(commands.slice(1)).toEqual([`::${token}::`]);
    }
  });
});
