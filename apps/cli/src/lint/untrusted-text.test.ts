import { describe, expect, it } from 'vitest';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { createChallengeHeaders, createEnvelope, createSavedResponse } from '../testing/saved-response.ts';
import { startServer } from '../testing/serve.ts';

/**
 * Control sequences that clear the screen (7-bit and 8-bit form), ring the bell, set the window title and reverse text.
 */
const SEQUENCES = '\u001b[2J\u009b2J\u0007\u001b]0;owned\u0007\u202eevil\u2066\u{e0041}\r\u2028';
/** Control sequences, and commands to the build runners of GitHub, Azure Pipelines and TeamCity. */
const CONTROLS = `${SEQUENCES}\n::error::a\n\u00a0::add-mask::b\u0085::c ##[error]d ##vso[task.e] ##teamcity[f]`;
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Text that a build runner executes as a command. The runner of GitHub ignores spaces before `::`. */
const WORKFLOW_COMMAND = /^\s*::|##\w*\[/m;
const url = `https://api.example.com/${SEQUENCES}`;
const option = {
  network: `eip155:1${CONTROLS}`,
  asset: CONTROLS,
  payTo: CONTROLS,
  amount: CONTROLS,
  scheme: CONTROLS,
  extra: { name: CONTROLS },
};
const envelope = {
  ...createEnvelope(url, option),
  error: CONTROLS,
  resource: { url, description: CONTROLS, mimeType: CONTROLS, serviceName: CONTROLS, tags: [CONTROLS] },
  extensions: {
    [CONTROLS]: { info: CONTROLS },
    bazaar: { info: { input: { type: CONTROLS, method: CONTROLS } }, schema: CONTROLS },
  },
};
const responses = [
  createSavedResponse({
    url,
    headers: {
      ...createChallengeHeaders(envelope),
      [CONTROLS]: CONTROLS,
      'www-authenticate': CONTROLS,
      location: CONTROLS,
      allow: CONTROLS,
      'retry-after': CONTROLS,
    },
  }),
  createSavedResponse({ url, headers: {}, body: JSON.stringify({ ...envelope, x402Version: 1 }) }),
  createSavedResponse({ url, headers: { 'retry-after': CONTROLS }, body: CONTROLS, status: 429 }),
  createSavedResponse({ url, headers: { 'content-type': CONTROLS }, body: CONTROLS, status: 301 }),
];
const input = responses.map((response) => JSON.stringify(response)).join('\n');

/** Expects that a text has no control characters and no command to a build runner. */
function expectHarmless(printed: string): void {
  expect([CONTROL_CHARACTERS.exec(printed), WORKFLOW_COMMAND.exec(printed)]).toEqual([null, null]);
}

describe('control characters and commands to build runners in untrusted text', () => {
  it('are removed from the report', async () => {
    const { stdout } = await runInProcess(['lint', '--all', '--file', '-'], input);
    expect(stdout).toContain('evil');
    expect(stdout).toContain('error::a');
    expectHarmless(stdout);
  });

  it('are escaped in JSON', async () => {
    const { stdout } = await runInProcess(['lint', '--json', '--file', '-'], input);
    expectHarmless(stdout);
    expect(jsonLines(stdout).map((line) => line['url'])).toEqual(responses.map(() => url.trim()));
  });

  it('are removed from messages', async () => {
    const { stderr } = await runInProcess(['lint', '--file', '-'], `${CONTROLS}\n{"url":${CONTROLS}}`);
    expectHarmless(stderr);
    const { stderr: usage } = await runInProcess(['lint', `--${CONTROLS}`, CONTROLS]);
    expectHarmless(usage);
  });

  it('are removed from the response of a server', async () => {
    await using server = await startServer((request, response) => {
      const { url: path = '' } = request;
      response.writeHead(402, {
        ...createChallengeHeaders({ ...envelope, x402Version: 2 }),
        'www-authenticate': 'Payment \u009bx',
      });
      response.end(`${path}${CONTROLS}`);
    });
    const target = `http://127.0.0.1:${String(server.port)}/${CONTROLS}`;
    const { code, stdout, stderr } = await runInProcess(['lint', '--all', '--allow-private', target]);
    expect(code).toBe(1);
    expectHarmless(stdout + stderr);
  });
});

describe('colors', () => {
  const clean = JSON.stringify(createSavedResponse());

  it.each([
    [['lint'], false],
    [['lint', '--no-color'], false],
    [['lint', '--color'], true],
    [['--color', 'lint'], true],
    [['--no-color', 'lint'], false],
    [['lint', '--color', '--json'], false],
  ])('are used with %j: %s', async (args, isColored) => {
    const { stdout } = await runInProcess([...args, '--file', '-'], clean);
    expect(stdout.includes('\u001b[')).toBe(isColored);
  });
});

describe('a lint report', () => {
  it('has at most 80 columns, except for long words', async () => {
    const { stdout } = await runInProcess(['lint', '--all', '--file', '-'], input);
    const long = stdout.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '));
    expect(long).toEqual([]);
  });
});
