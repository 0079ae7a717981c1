import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addBuyOptions } from '../buy/buy-options.ts';
import { formatSimilarLine } from './service-options.ts';

const RESOURCE = 'https://api.example.com/v1/weather';

function parse(...args: readonly string[]): Command {
  return addBuyOptions(new Command('trust'), null).parse(args, { from: 'user' });
}

describe('formatSimilarLine', () => {
  it('repeats the options that select the service', () => {
    expect(formatSimilarLine(RESOURCE, parse())).toBe(`touchstone similar ${RESOURCE}`);
    expect(formatSimilarLine(RESOURCE, parse('--sandbox', '--data-dir', 'my data', '--yes'))).toBe(
      `touchstone similar --sandbox --data-dir 'my data' ${RESOURCE}`,
    );
    const command = parse('--service', 'https://touchstone.example');
    expect(formatSimilarLine(RESOURCE, command, ['--min-score-delta', '0'])).toBe(
      `touchstone similar --min-score-delta 0 --service https://touchstone.example ${RESOURCE}`,
    );
  });

  it
    .skipIf(process.platform === 'win32')
    .each([
      `${RESOURCE}?city=Oslo&unit=c`,
      `${RESOURCE}/$(touch%20x)/\`id\`/it's/"x"/;!#~*`,
      `${RESOURCE}/{city}`,
    ])('quotes %s, so that a shell passes it as one word', (resource) => {
    const line = formatSimilarLine(resource, parse()).replace(
      'touchstone similar',
      String.raw`printf '%s\n'`,
    );
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${resource}\n`);
  });
});
