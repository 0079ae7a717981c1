import { describe, expect, it } from 'vitest';
import { challengeHeaders, envelopeFor, savedAnswer } from '../testing/answers.ts';
import { jsonLines, touchstone } from '../testing/command.ts';
import { runHere } from '../testing/run-here.ts';
import { serve } from '../testing/serve.ts';

/** Clears the screen, in the form of seven and of eight bits; rings; sets the title; turns the text around. */
const EVIL = '\u001b[2J\u009b2J\u0007\u001b]0;owned\u0007\u202eevil\u2066\u{e0041}\r\u2028';
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const url = `https://api.example.com/${EVIL}`;
const option = {
  network: `eip155:1${EVIL}`,
  asset: EVIL,
  payTo: EVIL,
  amount: EVIL,
  scheme: EVIL,
  extra: { name: EVIL },
};
const envelope = {
  ...envelopeFor(url, option),
  error: EVIL,
  resource: { url, description: EVIL, mimeType: EVIL, serviceName: EVIL, tags: [EVIL] },
  extensions: {
    [EVIL]: { info: EVIL },
    bazaar: { info: { input: { type: EVIL, method: EVIL } }, schema: EVIL },
  },
};
const answers = [
  savedAnswer({
    url,
    headers: {
      ...challengeHeaders(envelope),
      [EVIL]: EVIL,
      'www-authenticate': EVIL,
      location: EVIL,
      allow: EVIL,
      'retry-after': EVIL,
    },
  }),
  savedAnswer({ url, headers: {}, body: JSON.stringify({ ...envelope, x402Version: 1 }) }),
  savedAnswer({ url, headers: { 'retry-after': EVIL }, body: EVIL, status: 429 }),
  savedAnswer({ url, headers: { 'content-type': EVIL }, body: EVIL, status: 301 }),
];
const input = answers.map((answer) => JSON.stringify(answer)).join('\n');

describe('what strangers write never reaches the terminal as an order', () => {
  it('in the report', async () => {
    const { stdout } = await runHere(['lint', '--all', '--file', '-'], input);
    expect(stdout).toContain('evil');
    expect(OBEYED.exec(stdout)).toBeNull();
  });

  it('in JSON, whose values stay what they were', async () => {
    const { stdout } = await runHere(['lint', '--json', '--file', '-'], input);
    expect(OBEYED.exec(stdout)).toBeNull();
    expect(jsonLines(stdout).map((line) => line['url'])).toEqual(answers.map(() => url.trim()));
  });

  it('in complaints', async () => {
    const { stderr } = await runHere(['lint', '--file', '-'], `${EVIL}\n{"url":${EVIL}}`);
    expect(OBEYED.exec(stderr)).toBeNull();
    const { stderr: usage } = await runHere(['lint', `--${EVIL}`, EVIL]);
    expect(OBEYED.exec(usage)).toBeNull();
  });

  it('from a server', async () => {
    await using server = await serve((request, response) => {
      const { url: path = '' } = request;
      response.writeHead(402, {
        ...challengeHeaders({ ...envelope, x402Version: 2 }),
        'www-authenticate': 'Payment \u009bx',
      });
      response.end(`${path}${EVIL}`);
    });
    const target = `http://127.0.0.1:${String(server.port)}/${EVIL}`;
    const { code, stdout, stderr } = await touchstone(['lint', '--all', '--allow-private', target]);
    expect(code).toBe(1);
    expect(OBEYED.exec(stdout + stderr)).toBeNull();
  });
});

describe('colors', () => {
  const clean = JSON.stringify(savedAnswer());
  const colored = (text: string): boolean => text.includes('\u001b[');

  it('are left out where the output is no terminal, and on --no-color', async () => {
    expect(colored((await runHere(['lint', '--file', '-'], clean)).stdout)).toBe(false);
    expect(colored((await runHere(['lint', '--no-color', '--file', '-'], clean)).stdout)).toBe(false);
  });

  it('come with --color', async () => {
    expect(colored((await runHere(['lint', '--color', '--file', '-'], clean)).stdout)).toBe(true);
  });

  it('may be wished for before the command, too', async () => {
    expect(colored((await runHere(['--color', 'lint', '--file', '-'], clean)).stdout)).toBe(true);
    expect(colored((await runHere(['--no-color', 'lint', '--file', '-'], clean)).stdout)).toBe(false);
  });

  it('never touch JSON', async () => {
    expect(colored((await runHere(['lint', '--color', '--json', '--file', '-'], clean)).stdout)).toBe(false);
  });
});

describe('80 columns', () => {
  it('hold every line but those of one long word', async () => {
    const { stdout } = await runHere(['lint', '--all', '--file', '-'], input);
    const long = stdout.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '));
    expect(long).toEqual([]);
  });
});
