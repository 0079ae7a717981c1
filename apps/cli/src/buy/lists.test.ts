import { describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE } from '../testing/buyer.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { openSeller, respond, SETTLED } from '../testing/seller.ts';
import { startServer } from '../testing/serve.ts';

const PAGE = 'https://touchstone.example/endpoint/weather-abcdefghij';
const MATCH = {
  id: 'an-id',
  resource: RESOURCE,
  score: 91.9,
  grade: 'A',
  similarity: 0.8214,
  description: 'Weather \u001b[31mby\u202e city',
  endpointPage: PAGE,
  later: { added: true },
};
const SEARCH = { query: 'weather', count: 1, matches: [MATCH], next: null };
const ALTERNATIVE = {
  resource: 'https://other.example/weather',
  score: 91.9,
  grade: 'A',
  recommendation: 'proceed',
  similarity: 0.8671,
  amountUsd: '0.010000',
  network: 'eip155:8453',
  endpointPage: PAGE,
};
const SIMILAR = {
  resource: RESOURCE,
  subject: { resource: RESOURCE, score: 41.2, grade: 'D', recommendation: 'avoid', endpointPage: PAGE },
  count: 1,
  alternatives: [ALTERNATIVE],
};

/** Starts a service that sells the same list to every buyer. */
async function openListSeller(list: unknown) {
  const paths: string[] = [];
  const seller = await openSeller({
    onPaid: ({ path, response }) => {
      paths.push(path);
      respond(response, list, SETTLED);
    },
  });
  return { ...seller, paths };
}

describe('touchstone search', () => {
  it('shows the quote, gets confirmation, pays and prints the matches', async () => {
    using buyer = openBuyer();
    await using seller = await openListSeller(SEARCH);
    const { code, stdout, stderr } = await buyer.run(
      ['search', '--service', seller.base, '  weather '],
      'y\n',
    );
    expect(stderr).toContain('For     the endpoints that match "weather", at most 25');
    expect(stderr).toContain('Pay $0.005? [y/N]');
    expect(stdout).toContain(
      [
        '1 match for "weather"',
        '',
        ' 1. 82 % similar   Grade A   91.9 of 100',
        `    ${RESOURCE}`,
        '    "Weather [31mby city"',
        `    ${PAGE}`,
        '',
        'Fewer than 25 endpoints',
      ].join('\n'),
    );
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Paid $0.005 from ${buyer.address}`);
    expect([code, seller.paths, buyer.listStoredPayments()]).toEqual([0, ['/v1/semantic-search'], []]);
    expect(new Set(seller.bodies)).toEqual(new Set([JSON.stringify({ query: 'weather', limit: 25 })]));
  });

  it('prints the response unchanged with --json', async () => {
    using buyer = openBuyer();
    await using seller = await openListSeller(SEARCH);
    const args = ['search', '--service', seller.base, '--yes', '--json', '--limit', '3', 'weather'];
    const { code, stdout } = await buyer.run(args);
    expect([code, JSON.parse(stdout)]).toEqual([0, SEARCH]);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(seller.bodies.at(-1)).toBe(JSON.stringify({ query: 'weather', limit: 3 }));
  });

  it('ends with exit code 0 when nothing matches', async () => {
    using buyer = openBuyer();
    await using seller = await openListSeller({ query: 'weather', count: 0, matches: [] });
    const { code, stdout } = await buyer.run(['search', '--service', seller.base, '--yes', 'weather']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^No matches for "weather"\n/)]);
  });

  it('prints a paid response that it cannot read, with exit code 2', async () => {
    using buyer = openBuyer();
    const list = { query: 'weather', count: 1, matches: [{ ...MATCH, score: '\u001b[31mbest' }] };
    await using seller = await openListSeller(list);
    const { code, stdout, stderr } = await buyer.run([
      'search',
      '--service',
      seller.base,
      '--yes',
      'weather',
    ]);
    expect([code, JSON.parse(stdout)]).toEqual([2, list]);
    expect(stdout).not.toContain('\u001b');
    expect(stderr).toContain('not a list of matches that this version can read');
    expect(stderr).toContain('Paid $0.005');
  });

  it('signs nothing when the service cannot search', async () => {
    using buyer = openBuyer();
    await using server = await startServer((_, response) => {
      response.statusCode = 503;
      respond(response, {
        code: 'search-unavailable',
        detail: 'The embedding service does not respond. Nothing was charged.',
        notCharged: true,
      });
    });
    const service = `http://127.0.0.1:${String(server.port)}`;
    const { code, stdout, stderr } = await buyer.run(['search', '--service', service, '--yes', 'weather']);
    expect([code, stdout, buyer.listStoredPayments()]).toEqual([2, '', []]);
    expect(stderr).toContain(
      '503 search-unavailable: The embedding service does not respond. Nothing was signed or charged.',
    );
  });
});

describe('touchstone similar', () => {
  it('buys and prints the endpoint and its alternatives', async () => {
    using buyer = openBuyer();
    await using seller = await openListSeller(SIMILAR);
    const { code, stdout, stderr } = await buyer.run([
      'similar',
      '--service',
      seller.base,
      '--yes',
      RESOURCE,
    ]);
    expect(stderr).toContain(
      `For     the alternatives to ${RESOURCE}, at most 5, each with at least 5 points more`,
    );
    expect(stdout).toContain(`${RESOURCE}\nGrade D   41.2 of 100   AVOID\n${PAGE}\n\n1 alternative`);
    expect(stdout).toContain(' 1. Grade A   91.9 of 100   PROCEED\n    https://other.example/weather\n');
    expect([code, seller.paths]).toEqual([0, ['/v1/similar']]);
    expect(new Set(seller.bodies)).toEqual(
      new Set([JSON.stringify({ resource: RESOURCE, limit: 5, minScoreDelta: 5 })]),
    );
  });

  it('names the command for a smaller difference when there is no alternative', async () => {
    using buyer = openBuyer();
    await using seller = await openListSeller({ ...SIMILAR, count: 0, alternatives: [] });
    const args = ['similar', '--service', seller.base, '--yes', '--min-score-delta', '7.5', RESOURCE];
    const { code, stdout } = await buyer.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain('at least 7.5 points more.');
    expect(stdout).toContain(
      `touchstone similar --min-score-delta 0 --data-dir ${buyer.home} --service ${seller.base} ${RESOURCE}\n`,
    );
    expect(JSON.parse(seller.bodies.at(-1) ?? '')).toMatchObject({ minScoreDelta: 7.5 });
  });
});

describe('a list is not requested', () => {
  it.each([
    [['search', 'weather', '--limit', '40'], '`limit` must be a whole number from 1 to 25; received 40.'],
    [['search', 'weather', '--limit', '2.5'], '`limit` must be a whole number from 1 to 25; received 2.5.'],
    [['search', 'weather', '--limit', '-1'], '`limit` must be a whole number from 1 to 25; received -1.'],
    [['search', 'weather', '--limit', ''], '`limit` must be a whole number from 1 to 25; received "".'],
    [['search', 'weather', '--limit', '1e1'], 'received "1e1".'],
    [['search', ' '], '`query` must be text of 1 to 500 characters'],
    [['search', 'x'.repeat(501)], '`query` must be text of 1 to 500 characters'],
    [['search', '\u001b[2J'], '`query` must be text without control characters'],
    [['search'], "missing required argument 'query'"],
    [['search', 'current', 'weather'], 'too many arguments'],
    [['similar', 'weather'], '`resource` must be the full URL'],
    [['similar', RESOURCE, '--limit', 'all'], '`limit` must be a whole number from 1 to 25; received "all".'],
    [
      ['similar', RESOURCE, '--min-score-delta', '101'],
      '`minScoreDelta` must be a number from 0 to 100; received 101.',
    ],
    [['similar', RESOURCE, '--min-score-delta', 'none'], '`minScoreDelta` must be a number from 0 to 100'],
    [['similar', RESOURCE, '--days', '3'], "unknown option '--days'"],
  ])('for the arguments %j', async (args, message) => {
    using buyer = openBuyer();
    await using seller = await openSeller();
    const { code, stdout, stderr } = await buyer.run([...args, '--service', seller.base, '--yes']);
    expect([code, stdout, seller.unpaid(), seller.signatures]).toEqual([2, '', 0, []]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\u001b');
  });
});

describe('the help', () => {
  it.each([
    ['search', ['--limit <n>', '1 to 25', 'less than 50 % similar', 'TOUCHSTONE_KEY', '--sandbox']],
    ['similar', ['--limit <n>', '--min-score-delta <n>', 'another host', 'TOUCHSTONE_KEY', '--sandbox']],
  ])('of %s describes the options, the ranking and the payment', async (command, phrases) => {
    const { code, stdout } = await runInProcess([command, '--help']);
    expect(code).toBe(0);
    for (const phrase of phrases) expect(stdout.replace(/\s+/g, ' ')).toContain(phrase);
    const helpText = stdout.slice(stdout.indexOf('\nPaying'));
    expect(helpText.split('\n').filter((line) => line.length > 80 && !line.includes('touchstone '))).toEqual(
      [],
    );
  });
});
