import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { listServerWords } from '../../operations/documents/cli-command.ts';
import { createClientSetups, type ClientSetup } from './client-setups.ts';

const BASE = 'https://touchstone.example';
const URL_OF_SERVER = `${BASE}/mcp`;
const setups = createClientSetups(BASE);
const [, ...localArguments] = listServerWords(BASE);

const getSetup = (id: string): ClientSetup => {
  const setup = setups.find((other) => other.id === id);
  if (setup === undefined) throw new Error(`No client has the id ${id}`);
  return setup;
};
const samples = setups.flatMap(({ id, remote, local }) =>
  [remote, local].map((sample) => ({ id, ...sample })),
);

/** Returns the entry of the server in a JSON configuration. VS Code has another name for the list of servers. */
function readServer(code: string): unknown {
  const config = JSON.parse(code) as Record<'mcpServers' | 'servers', { touchstone: unknown } | undefined>;
  return (config.mcpServers ?? config.servers)?.touchstone;
}

const hasTomlParser = spawnSync('python3', ['-c', 'import tomllib']).status === 0;

describe('createClientSetups', () => {
  it('has remote and local samples for every client', () => {
    expect(setups).toHaveLength(7);
    for (const { remote, local } of setups) {
      expect(remote.code).not.toBe('');
      expect(local.code).not.toBe('');
    }
  });

  it.each(samples.filter(({ language }) => language === 'json'))(
    'creates a JSON configuration with one server for $id',
    ({ code }) => {
      const server = readServer(code);
      expect(server).toEqual(
        code.includes('npx')
          ? {
              ...(code.includes('stdio') ? { type: 'stdio' } : {}),
              command: 'npx',
              args: localArguments,
              env: { TOUCHSTONE_KEY: expect.any(String) as unknown },
            }
          : { ...(code.includes('"http"') ? { type: 'http' } : {}), url: URL_OF_SERVER },
      );
    },
  );

  it.each([
    ['cursor', '${env:TOUCHSTONE_KEY}'],
    ['vs-code', '${input:touchstone-key}'],
    ['gemini-cli', '$TOUCHSTONE_KEY'],
  ])('refers to the key in the syntax of %s and never contains it', (id, reference) => {
    expect(readServer(getSetup(id).local.code)).toMatchObject({
      env: { TOUCHSTONE_KEY: reference },
    });
  });

  it('defines the input that the configuration of VS Code refers to', () => {
    const config = JSON.parse(getSetup('vs-code').local.code) as { readonly inputs: unknown };
    expect(config.inputs).toMatchObject([{ type: 'promptString', id: 'touchstone-key', password: true }]);
  });

  it.each([
    ['claude-code', ['claude', 'mcp', 'add', '--transport', 'http', 'touchstone', URL_OF_SERVER]],
    ['codex', ['codex', 'mcp', 'add', 'touchstone', '--url', URL_OF_SERVER]],
    [
      'gemini-cli',
      ['gemini', 'mcp', 'add', '--scope', 'user', '--transport', 'http', 'touchstone', URL_OF_SERVER],
    ],
    ['claude-desktop', [URL_OF_SERVER]],
  ])('creates one shell command for %s', (id, words) => {
    const { code } = getSetup(id).remote;
    const output = execFileSync('sh', ['-c', `printf '%s\\n' ${code}`], { encoding: 'utf8' });
    expect(output.trimEnd().split('\n')).toEqual(words);
  });

  it.skipIf(!hasTomlParser)('creates a TOML configuration for Codex, if Python can parse it', () => {
    const script = 'import json, sys, tomllib\nprint(json.dumps(tomllib.loads(sys.stdin.read())))';
    const { code } = getSetup('codex').local;
    const output = execFileSync('python3', ['-c', script], { input: code, encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual({
      mcp_servers: {
        touchstone: {
          command: 'npx',
          args: localArguments,
          env_vars: ['TOUCHSTONE_KEY'],
          startup_timeout_sec: 60,
        },
      },
    });
  });

  it('creates install links that contain the remote server', () => {
    const cursor = new URL(getSetup('cursor').installLink ?? '');
    expect(`${cursor.protocol}//${cursor.host}${cursor.pathname}`).toBe(
      'cursor://anysphere.cursor-deeplink/mcp/install',
    );
    expect(cursor.searchParams.get('name')).toBe('touchstone');
    const config = Buffer.from(cursor.searchParams.get('config') ?? '', 'base64').toString();
    expect(JSON.parse(config)).toEqual({ url: URL_OF_SERVER });
    const [scheme, query = ''] = (getSetup('vs-code').installLink ?? '').split('?');
    expect(scheme).toBe('vscode:mcp/install');
    expect(JSON.parse(decodeURIComponent(query))).toEqual({
      name: 'touchstone',
      type: 'http',
      url: URL_OF_SERVER,
    });
  });

  it('adds the local server to Claude Code with one shell command, which reads the key from the shell', () => {
    const { code } = getSetup('claude-code').local;
    const output = execFileSync('sh', ['-c', `printf '%s\\n' ${code}`], {
      encoding: 'utf8',
      env: { ...process.env, TOUCHSTONE_KEY: '0x1' },
    });
    const words = ['claude', 'mcp', 'add', 'touchstone', '--env', 'TOUCHSTONE_KEY=0x1', '--', 'npx'];
    expect(output.trimEnd().split('\n')).toEqual([...words, ...localArguments]);
  });

  it.each(['http://localhost:3000', 'http://127.0.0.1:3900', 'http://[::1]:3000'])(
    'uses the sandbox of this repository in the form of each client, without a wallet, for a service at %s',
    (baseUrl) => {
      const locals = createClientSetups(baseUrl);
      for (const { id, remote, local } of locals) {
        expect(remote.code).toContain(`${baseUrl}/mcp`);
        expect(local.language).toBe(getSetup(id).local.language);
        expect(local.code).not.toMatch(/@touchstone|TOUCHSTONE_KEY/);
        if (local.language === 'json') {
          expect(readServer(local.code)).toMatchObject({
            command: 'npx',
            args: expect.arrayContaining(['/path/to/touchstone', '--no-install', '--sandbox']) as unknown,
          });
        }
      }
      expect(locals[0]?.local.code).toBe(
        'claude mcp add touchstone -- npx --no-install touchstone mcp --sandbox',
      );
    },
  );
});
