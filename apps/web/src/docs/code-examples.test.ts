import { execFileSync, spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { OPERATIONS } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAllCodeExamples, createCodeExamples } from './code-examples.ts';

const options = { baseUrl: 'https://touchstone.example', network: 'eip155:8453' };
const all = createAllCodeExamples(options);
const codeOf = (id: string, language: string, resource?: string): string => {
  const operation = OPERATIONS.find((other) => other.id === id);
  if (operation === undefined) throw new Error(`There is no ${id}`);
  const examples = createCodeExamples(operation, {
    ...options,
    ...(resource === undefined ? {} : { resource }),
  });
  return examples.find((example) => example.language === language)?.code ?? '';
};
/** URLs that strangers list hold whatever a URL may hold, and text that ends a literal in some language. */
const hostile = fc
  .string({
    unit: fc.constantFrom("'", '"', '`', '\\', '$', '{', '}', '\n', '\u2028', '#', '!', 'a', ' ', '中'),
  })
  .map((text) => `https://example.com/${text}`);
const parses = (code: string): void => {
  stripTypeScriptTypes(code);
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('the examples of each operation', () => {
  it.each(all)('call $operation.id at its own address', ({ operation, examples }) => {
    expect(examples.map(({ language }) => language)).toEqual(['curl', 'TypeScript', 'Python']);
    for (const { code } of examples) {
      expect(code).toContain(options.baseUrl);
      expect(code).not.toMatch(/\{(?:name|file|path)\}|undefined/);
    }
    const [curl = '', ...others] = examples.map(({ code }) => code);
    expect(curl.includes('-X POST')).toBe(operation.method === 'POST');
    for (const code of others) expect(code.toLowerCase()).toContain(operation.method.toLowerCase());
  });

  it.each(all)('of $operation.id are TypeScript', ({ operation }) => {
    parses(codeOf(operation.id, 'TypeScript'));
  });

  it.skipIf(!hasPython)('are Python, where there is one to compile them', () => {
    compilePython(all.map(({ operation }) => codeOf(operation.id, 'Python')));
    const resources = fc.sample(hostile, 30);
    compilePython(resources.map((resource) => codeOf('getTrustReport', 'Python', resource)));
    expect(() => compilePython(['print('])).toThrow();
  });

  it('give what a stranger named as a literal that ends where it should', () => {
    fc.assert(
      fc.property(hostile, (resource) => {
        const typescript = codeOf('getTrustReport', 'TypeScript', resource);
        parses(typescript);
        const sent = /body: JSON\.stringify\((.*)\),\n/.exec(typescript)?.[1] ?? '';
        expect(JSON.parse(sent)).toEqual({ resource });
      }),
    );
  });

  it('give it to a shell as one word', () => {
    const resource = `https://example.com/'; touch /tmp/oops; echo '$(id)\`id\``;
    const curl = codeOf('getTrustReport', 'curl', resource);
    const said = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${curl}`], { encoding: 'utf8' });
    expect(said.trimEnd().split('\n')).toEqual([
      '-i',
      '-X',
      'POST',
      `${options.baseUrl}/v1/x402-trust`,
      '-H',
      'Content-Type: application/json',
      '-d',
      JSON.stringify({ resource }),
    ]);
  });
});

/** Compiles each program without running it. */
function compilePython(programs: readonly string[]): void {
  const script = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "example", "exec")';
  execFileSync('python3', ['-c', script], {
    input: JSON.stringify(programs),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
