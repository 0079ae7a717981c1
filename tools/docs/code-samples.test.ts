import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
const samples = ['README.md', 'docs/cli.md', 'docs/mcp.md', 'docs/guard.md'].flatMap(readCodeSamples);
const action = readFileSync(new URL('../../apps/cli/action.yml', import.meta.url), 'utf8');
const cli = new URL('../../apps/cli/src/run.ts', import.meta.url).href;

/** Commands of the CLI that have subcommands. */
const COMMAND_GROUPS = new Set(['buy', 'sandbox', 'watch']);
/** Subcommands of commands that also work without a subcommand. */
const SUBCOMMANDS = new Set(['guard serve', 'receipts report']);

describe('code samples of the documentation', () => {
  it('have correct types', () => {
    const typescript = samples.filter(({ language }) => language === 'ts');
    expect(typescript.length).toBeGreaterThanOrEqual(5);
    expect(checkSampleTypes(typescript)).toEqual([]);
  });

  it('are valid JSON', () => {
    const json = samples.filter(({ language }) => language === 'json');
    expect(json.length).toBeGreaterThanOrEqual(2);
    for (const { code, location } of json) {
      expect(() => JSON.parse(code) as unknown, location).not.toThrow();
    }
  });

  it('use actions by their commit, as the GitHub Action of this repository does', () => {
    const texts = [action, ...samples.filter(({ language }) => language === 'yaml').map(({ code }) => code)];
    const used = texts.flatMap((text) => [...text.matchAll(/\buses:(.*)/g)].map(([, name = '']) => name));
    expect(used.length).toBeGreaterThanOrEqual(2);
    // The version of a commit is in a comment. The action of this repository has no released commit.
    const pinned =
      /^ (?:[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|<owner>\/touchstone\/apps\/cli@<commit>)$/;
    expect(used.filter((name) => !pinned.test(name))).toEqual([]);
  });

  it('use inputs that the GitHub Action has', () => {
    const [inputs = ''] = action.slice(action.indexOf('inputs:')).split(/\nruns:/);
    const yaml = samples.filter(({ language }) => language === 'yaml');
    expect(yaml.length).toBeGreaterThanOrEqual(1);
    for (const { code, location } of yaml) {
      const [, used = ''] = code.split(/^ *with:\n/m);
      for (const [, name = ''] of used.matchAll(/^ *([\w-]+):/gm)) {
        expect(inputs, location).toContain(`\n  ${name}:\n`);
      }
    }
  });

  it('use commands and options that the CLI has', async () => {
    const commands = findCliCommands(samples);
    expect(commands.length).toBeGreaterThanOrEqual(5);
    const names = new Set(commands.map(({ words }) => readName(words)));
    const helpTexts = await readHelpTexts([...names]);
    for (const { words, location } of commands) {
      for (const option of words.filter((word) => word.startsWith('--'))) {
        expect(helpTexts.get(readName(words)), location).toMatch(new RegExp(`${option}\\b`));
      }
    }
  });
});

describe('checkSampleTypes', () => {
  it('reports the location of a wrong type', () => {
    const code = `import { createGuard } from '@touchstone/guard';\ncreateGuard({ service: 1, keys: [] });\n`;
    expect(checkSampleTypes([{ location: 'a.md:3', language: 'ts', code }])).toEqual([
      expect.stringMatching(/^a\.md:3: .*number/),
    ]);
  });
});

/** Returns the name of a command: its first word, and in a group of commands also its second word. */
function readName(words: readonly string[]): string {
  const both = words.slice(0, 2).join(' ');
  return COMMAND_GROUPS.has(words[0] ?? '') || SUBCOMMANDS.has(both) ? both : (words[0] ?? '');
}

/**
 * Script that runs the commands in its arguments with --help in one process, and prints the help texts as a JSON array.
 */
const HELP_SCRIPT = `
  import { PassThrough } from 'node:stream';
  import { text } from 'node:stream/consumers';
  const [entry, ...names] = process.argv.slice(1);
  const { run } = await import(entry);
  const texts = [];
  for (const name of names) {
    const stdout = new PassThrough();
    await run([...name.split(' '), '--help'], { stdin: process.stdin, stdout, stderr: process.stderr, env: {} });
    texts.push(await text(stdout.end()));
  }
  console.log(JSON.stringify(texts));
`;

async function readHelpTexts(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const args = ['--input-type=module', '-e', HELP_SCRIPT, '--', cli, ...names];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const texts = JSON.parse(stdout) as readonly string[];
  return new Map(
    names.map((name, index) => {
      const help = texts[index] ?? '';
      // For an unknown command, the CLI prints the help of the program.
      expect(help).toContain(`Usage: touchstone ${name} `);
      return [name, help];
    }),
  );
}

/** Code block of a Markdown document. */
interface CodeSample {
  /** Path of the document and line number of the first line of code. */
  readonly location: string;
  /** Language after the opening fence; empty if the fence names no language. */
  readonly language: string;
  readonly code: string;
}

/** Reads all code blocks of a document. */
function readCodeSamples(path: string): readonly CodeSample[] {
  const text = readFileSync(`${root}${path}`, 'utf8');
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map((match) => {
    const [, , language = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length + 1;
    return { location: `${path}:${String(line)}`, language, code };
  });
}

/**
 * Checks the types of TypeScript samples, each as its own module.
 *
 * @returns The messages of the compiler, each with the location of its sample.
 */
function checkSampleTypes(samples: readonly CodeSample[]): readonly string[] {
  // The files exist only in memory. Their folder decides where the compiler finds the imported packages.
  const files = new Map(
    samples.map((sample, index) => [`${root}tools/docs/sample-${String(index)}.ts`, sample]),
  );
  const options = readCompilerOptions();
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (name) => files.has(name) || disk.fileExists(name),
    getSourceFile: (name, language) => {
      const sample = files.get(name);
      if (sample === undefined) return disk.getSourceFile(name, language);
      return ts.createSourceFile(name, sample.code, language);
    },
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([name, { location }]) => {
    const file = program.getSourceFile(name);
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map(
      ({ messageText }) => `${location}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

function readCompilerOptions(): ts.CompilerOptions {
  const file = ts.readConfigFile(`${root}tsconfig.base.json`, (path) => ts.sys.readFile(path));
  const config = { ...(file.config as object), files: [] };
  return ts.parseJsonConfigFileContent(config, ts.sys, root).options;
}

/** Command of the CLI in a shell sample. */
interface CliCommand {
  readonly location: string;
  /** Words after the name of the program: the subcommand, arguments and options. */
  readonly words: readonly string[];
}

/**
 * Finds the calls of the CLI with npx: in shell samples, and in JSON configurations of MCP servers. A backslash at the
 * end of a line continues a shell command.
 */
function findCliCommands(samples: readonly CodeSample[]): readonly CliCommand[] {
  return samples.flatMap(({ location, language, code }) => {
    const commands = language === 'json' ? findServerCommands(code) : [code.replaceAll('\\\n', ' ')];
    return commands.flatMap((command) =>
      [...command.matchAll(/\bnpx (?:-y |--no-install )?(?:@touchstone\/cli|touchstone) ([^\n#]+)/g)].map(
        ([, text = '']) => ({
          location,
          words: text.trim().split(/\s+/),
        }),
      ),
    );
  });
}

function findServerCommands(code: string): readonly string[] {
  const config = JSON.parse(code) as {
    readonly mcpServers?: Readonly<
      Record<string, { readonly command?: string; readonly args?: readonly string[] }>
    >;
  };
  return Object.values(config.mcpServers ?? {}).flatMap(({ command, args = [] }) =>
    command === undefined ? [] : [[command, ...args].join(' ')],
  );
}
