import { describe, expect, it } from 'vitest';
import { RESOURCE } from '../testing/buyer.ts';
import { openPurchaseTest } from '../testing/purchase-test.ts';
import { respond, SETTLED } from '../testing/seller.ts';

const PAGE = 'https://touchstone.example/endpoint/weather-abcdefghij';
const MATCH = {
  id: 'an-id',
  resource: RESOURCE,
  score: 91.9,
  grade: 'A',
  confidence: 0.98,
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
  confidence: 0.98,
  similarity: 0.8671,
  amountUsd: '0.010000',
  network: 'eip155:8453',
  endpointPage: PAGE,
};
const SIMILAR = {
  resource: RESOURCE,
  subject: { resource: RESOURCE, score: 41.2, grade: 'D', recommendation: 'avoid', endpointPage: PAGE },
  count: 1,
  withinDelta: 1,
  alternatives: [ALTERNATIVE],
};

/** Starts a service that sells the same list to every buyer. */
const openListShop = (list: unknown) =>
  openPurchaseTest({ onPaid: ({ response }) => respond(response, list, SETTLED) });

describe('touchstone search', () => {
  it('shows the quote, gets confirmation, pays and prints the matches', async () => {
    await using shop = await openListShop(SEARCH);
    const { code, stdout, stderr } = await shop.run(['search', '  weather '], 'y\n');
    expect(stderr).toContain('For     the endpoints that match "weather", at most 25');
    expect(stderr).toContain('Pay $0.005? [y/N]');
    expect(stdout).toContain(
      [
        '1 match for "weather"',
        '',
        ' 1. 82 % similar   Grade A   91.9 of 100',
        `    ${RESOURCE}`,
        '    "Weather [31mby city"',
        '    confidence 0.98 of 1',
        `    ${PAGE}`,
        '',
        'Fewer than 25 endpoints',
      ].join('\n'),
    );
    expect(stdout.replace(/\s+/g, ' ')).toContain(`Paid $0.005 from ${shop.buyer.address}`);
    expect([code, shop.buyer.listStoredPayments()]).toEqual([0, []]);
    expect(new Set(shop.seller.bodies)).toEqual(new Set([JSON.stringify({ query: 'weather', limit: 25 })]));
  });

  it('prints the response unchanged with --json', async () => {
    await using shop = await openListShop(SEARCH);
    const { code, stdout } = await shop.run(['search', '--json', '--limit', '3', 'weather']);
    expect([code, JSON.parse(stdout)]).toEqual([0, SEARCH]);
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(shop.seller.bodies.at(-1)).toBe(JSON.stringify({ query: 'weather', limit: 3 }));
  });

  it('prints a paid response that it cannot read, with exit code 2', async () => {
    const list = { query: 'weather', count: 1, matches: [{ ...MATCH, score: '\u001b[31mbest' }] };
    await using shop = await openListShop(list);
    const { code, stdout, stderr } = await shop.run(['search', 'weather']);
    expect([code, JSON.parse(stdout)]).toEqual([2, list]);
    expect(stderr).toContain('not a list of matches that this version can read');
    expect(stderr).toContain('Paid $0.005');
  });
});

describe('touchstone similar', () => {
  it('buys and prints the endpoint and its alternatives', async () => {
    await using shop = await openListShop(SIMILAR);
    const { code, stdout, stderr } = await shop.run(['similar', RESOURCE]);
    expect(stderr).toContain(
      `For     the alternatives to ${RESOURCE}, at most 5, each with at least 5 points more`,
    );
    expect(stdout).toContain(`${RESOURCE}\nGrade D   41.2 of 100   AVOID\n${PAGE}\n\n1 alternative`);
    expect(stdout).toContain(' 1. Grade A   91.9 of 100   PROCEED\n    https://other.example/weather\n');
    expect(code).toBe(0);
    const body = JSON.stringify({ resource: RESOURCE, limit: 5, minScoreDelta: 5 });
    expect(new Set(shop.seller.bodies)).toEqual(new Set([body]));
  });

  it('names the command for a smaller difference when there is no alternative', async () => {
    await using shop = await openListShop({ ...SIMILAR, count: 0, alternatives: [] });
    const { code, stdout } = await shop.run(['similar', '--min-score-delta', '7.5', RESOURCE]);
    const options = `--min-score-delta 0 --data-dir ${shop.buyer.home} --service ${shop.seller.base}`;
    expect([code, stdout]).toEqual([0, expect.stringContaining('at least 7.5 points more.')]);
    expect(stdout).toContain(`touchstone similar ${options} ${RESOURCE}\n`);
    expect(JSON.parse(shop.seller.bodies.at(-1) ?? '')).toMatchObject({ minScoreDelta: 7.5 });
  });
});

describe('a list is not requested', () => {
  it.each([
    [['search', 'weather', '--limit', '40'], '`limit` must be a whole number from 1 to 25; received 40.'],
    [['search', 'weather', '--limit', ''], '`limit` must be a whole number from 1 to 25; received "".'],
    [['search', 'weather', '--limit', '1e1'], 'received "1e1".'],
    [['search', '\u001b[2J'], '`query` must be text without control characters'],
    [['search', 'current', 'weather'], 'too many arguments'],
    [['similar', RESOURCE, '--min-score-delta', 'none'], '`minScoreDelta` must be a number from 0 to 100'],
  ])('for the arguments %j', async (args, message) => {
    await using shop = await openPurchaseTest();
    const { code, stdout, stderr } = await shop.run(args);
    expect([code, stdout, shop.seller.bodies]).toEqual([2, '', []]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('\u001b');
  });
});
