import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { checkSampleTypes, findCliCommands, readCodeSamples } from './code-samples.ts';

const samples = ['README.md', 'docs/mcp.md', 'docs/guard.md'].flatMap(readCodeSamples);
const cli = new URL('../../apps/cli/src/run.ts', import.meta.url).href;

/** Commands of the CLI that have subcommands. */
const COMMAND_GROUPS = new Set(['buy', 'sandbox', 'watch']);

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

  it('use inputs that the GitHub Action has', () => {
    const action = readFileSync(new URL('../../apps/cli/action.yml', import.meta.url), 'utf8');
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

/** Returns the name of a command: its first word, and the second one in a group of commands. */
function readName(words: readonly string[]): string {
  return words.slice(0, COMMAND_GROUPS.has(words[0] ?? '') ? 2 : 1).join(' ');
}

/** Runs the commands of its arguments with --help in one process, and prints the help texts as a JSON array. */
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

/** Reads the help texts of commands, by name. */
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
