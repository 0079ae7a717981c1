import { execFileSync, spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { OPERATIONS } from '@touchstone/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAllCodeExamples, createCodeExamples } from './code-examples.ts';

const options = { baseUrl: 'https://touchstone.example', network: 'eip155:8453' };
const all = createAllCodeExamples(options);
const getCode = (id: string, language: string, resource?: string): string => {
  const operation = OPERATIONS.find((other) => other.id === id);
  if (operation === undefined) throw new Error(`No operation has the id ${id}`);
  const examples = createCodeExamples(operation, {
    ...options,
    ...(resource === undefined ? {} : { resource }),
  });
  return examples.find((example) => example.language === language)?.code ?? '';
};
/**
 * Generator of untrusted URLs. The URLs contain characters that end a string literal in one of the example languages.
 */
const untrustedUrls = fc
  .string({
    unit: fc.constantFrom("'", '"', '`', '\\', '$', '{', '}', '\n', '\u2028', '#', '!', 'a', ' ', '中'),
  })
  .map((text) => `https://example.com/${text}`);
const assertParses = (code: string): void => {
  stripTypeScriptTypes(code);
};

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('createAllCodeExamples', () => {
  it.each(all)('calls $operation.id at its path, with valid TypeScript', ({ operation, examples }) => {
    expect(examples.map(({ language }) => language)).toEqual(['curl', 'TypeScript', 'Python']);
    for (const { code } of examples) {
      expect(code).toContain(options.baseUrl);
      expect(code).not.toMatch(/\{(?:name|file|path|id)\}|undefined/);
    }
    const [curl = '', ...others] = examples.map(({ code }) => code);
    assertParses(others[0] ?? '');
    expect(/-X (\w+)/.exec(curl)?.[1] ?? 'GET').toBe(operation.method);
    for (const code of [curl, ...others]) {
      expect(/Authorization.{1,6}Bearer/.test(code)).toBe(operation.security === 'bearer');
      expect(code.includes('WATCH_SECRET')).toBe(operation.security === 'bearer');
    }
    for (const code of others) expect(code.toLowerCase()).toContain(operation.method.toLowerCase());
  });

  it('calls an operation with its required query parameters', () => {
    const resource = 'https://listed.example/v2/prices?a=1&b=2';
    for (const language of ['curl', 'TypeScript', 'Python']) {
      expect(getCode('findEndpointSummary', language, resource)).toContain(
        `${options.baseUrl}/v1/x402-summary?resource=${encodeURIComponent(resource)}`,
      );
    }
  });

  it('calls an operation with the slug of the endpoint', () => {
    const code = getCode('getEndpointSummary', 'curl', 'https://listed.example/v2/prices');
    expect(code).toMatch(/\/endpoint\/listed-example-v2-prices-[a-z2-7]{10}\.json'/);
  });

  it.skipIf(!hasPython)('creates valid Python, if Python is installed', () => {
    compilePython(all.map(({ operation }) => getCode(operation.id, 'Python')));
    const resources = fc.sample(untrustedUrls, 30);
    compilePython(resources.map((resource) => getCode('getTrustReport', 'Python', resource)));
    expect(() => compilePython(['print('])).toThrow();
  });

  it('escapes an untrusted URL as a string literal', () => {
    fc.assert(
      fc.property(untrustedUrls, (resource) => {
        const typescript = getCode('getTrustReport', 'TypeScript', resource);
        assertParses(typescript);
        const sent = /body: JSON\.stringify\((.*)\),\n/.exec(typescript)?.[1] ?? '';
        expect(JSON.parse(sent)).toEqual({ resource });
      }),
    );
  });

  it('sends the secret of a watch from the environment with curl', () => {
    const output = execFileSync(
      'sh',
      ['-c', `curl() { printf '%s\\n' "$@"; }\n${getCode('editWatch', 'curl')}`],
      {
        encoding: 'utf8',
        env: { ...process.env, WATCH_SECRET: 'wsk_a $(id)' },
      },
    );
    expect(output.split('\n').slice(0, 8)).toEqual([
      '-i',
      '-X',
      'PATCH',
      `${options.baseUrl}/v1/watch/w_k5xgq2dlmvzw433bnz2gs3tbme`,
      '-H',
      'Authorization: Bearer wsk_a $(id)',
      '-H',
      'Content-Type: application/json',
    ]);
  });

  it('quotes an untrusted URL as one shell word', () => {
    const resource = `https://example.com/'; touch /tmp/oops; echo '$(id)\`id\``;
    const curl = getCode('getTrustReport', 'curl', resource);
    const output = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${curl}`], {
      encoding: 'utf8',
    });
    expect(output.trimEnd().split('\n')).toEqual([
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

/** Compiles each Python program without running it. A syntax error fails the test. */
function compilePython(programs: readonly string[]): void {
  const script = 'import json, sys\nfor code in json.load(sys.stdin): compile(code, "example", "exec")';
  execFileSync('python3', ['-c', script], {
    input: JSON.stringify(programs),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}
