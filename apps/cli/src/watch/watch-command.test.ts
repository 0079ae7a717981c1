import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBuyer, RESOURCE, type TestBuyer } from '../testing/buyer.ts';
import {
  openWatchService,
  WATCH_ID,
  WATCH_SECRET,
  type WatchService,
  WEBHOOK_SECRET,
} from '../testing/watch-service.ts';

const create = (more: readonly string[], input?: string) =>
  buyer.run(['watch', 'create', '--service', service.base, ...more, RESOURCE], input);
let buyer: TestBuyer;
let service: WatchService;
beforeEach(async () => {
  buyer = openBuyer();
  service = await openWatchService();
});
afterEach(async () => {
  buyer[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});
const toFile = ({ home }: TestBuyer) => join(home, 'touchstone', 'watches', `${WATCH_ID}.json`);

describe('touchstone watch create', () => {
  it('buys a watch at its price without --max-usd, stores its secrets for the owner only, and prints them once', async () => {
    const { code, stdout, stderr } = await create([], 'y\n');
    expect(code).toBe(0);
    expect(stderr).toContain('Price   $0.20 (200000 atomic units), limit $0.20');
    for (const text of [WATCH_ID, WATCH_SECRET, WEBHOOK_SECRET, '2026-12-23 00:00 UTC', '2 missed probes'])
      expect(stdout).toContain(text);
    expect(stdout).toContain('  Next       Store the secret.\n');
    expect(stdout).toContain(`touchstone watch events ${WATCH_ID} --follow`);
    expect(stdout).toContain(
      `touchstone watch renew --data-dir ${buyer.home} --service ${service.base} ${WATCH_ID}`,
    );
    expect(JSON.parse(readFileSync(toFile(buyer), 'utf8'))).toEqual({
      service: service.base,
      id: WATCH_ID,
      secret: WATCH_SECRET,
      webhook_secret: WEBHOOK_SECRET,
      endpoint: RESOURCE,
    });
    expect(statSync(toFile(buyer)).mode & 0o777).toBe(0o600);
    expect(buyer.listStoredPayments()).toEqual([]);
    expect(service.bodies.map((body): unknown => JSON.parse(body))).toEqual([
      { endpoint: RESOURCE },
      { endpoint: RESOURCE },
    ]);
  });

  it('sends the chosen settings', async () => {
    const { code, stdout } = await create([
      ...['--webhook', 'https://one.example.com/a', '--webhook', 'https://two.example.com/b'],
      ...['--slack', 'https://hooks.slack.com/services/T/B/secret'],
      ...['--events', 'payto_change, price_change', '--sensitivity', '3', '--yes'],
    ]);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('Test https://one.example.com/a ok, status 204 in 35 ms');
    expect(JSON.parse(service.bodies[0] ?? '')).toEqual({
      endpoint: RESOURCE,
      events: ['payto_change', 'price_change'],
      liveness_sensitivity_n: 3,
      delivery: {
        webhook_urls: ['https://one.example.com/a', 'https://two.example.com/b'],
        slack_urls: ['https://hooks.slack.com/services/T/B/secret'],
      },
    });
  });

  it('names --max-usd when the limit is below the price', async () => {
    const { code, stderr } = await create(['--yes', '--max-usd', '0.05']);
    expect([code, service.signatures]).toEqual([2, []]);
    expect(stderr).toContain('its price of $0.20 is above the limit of $0.05 (--max-usd)');
  });

  it.each([
    [['--events', 'payto'], '`events.0` must be'],
    [['--events', ''], '`events` must be a list of at least 1'],
    [['--sensitivity', '11'], '`liveness_sensitivity_n` must be a whole number from 1 to 10; received 11'],
    [['--webhook', 'http://hooks.example.com/'], '`delivery.webhook_urls'],
    [['--slack', 'https://10.0.0.1/services/T/B/secret'], '`delivery.slack_urls'],
  ])('sends no request with %j', async (options, message) => {
    const { code, stdout, stderr } = await create(['--yes', ...options]);
    expect([code, stdout, service.bodies]).toEqual([2, '', []]);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });

  it('prints the secrets and keeps the payment when they cannot be stored, and gets the same watch again', async () => {
    const folder = join(buyer.home, 'touchstone');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'watches'), 'no folder');
    const first = await create(['--yes']);
    expect(first.code).toBe(2);
    expect(first.stdout).toContain(WATCH_SECRET);
    expect(first.stderr).toContain('could not be stored');
    expect(buyer.listStoredPayments()).toHaveLength(1);
    rmSync(join(folder, 'watches'));
    const second = await create(['--yes']);
    expect([second.code, existsSync(toFile(buyer)), buyer.listStoredPayments()]).toEqual([0, true, []]);
    expect(new Set(service.signatures).size).toBe(1);
  });

  it('stores a watch of a newer service, and cleans its text', async () => {
    service.state.change = (created) => ({
      ...(created as object),
      endpoint: 'https://api.example.com/\u001b[2J\u202eweather',
      events: ['payto_change', 'certificate_change'],
      color: 'blue',
      next_steps: ['Look \u001b[2J\u202eout.'],
    });
    const { code, stdout } = await create(['--yes']);
    expect([code, existsSync(toFile(buyer))]).toEqual([0, true]);
    expect(stdout).toContain('https://api.example.com/[2Jweather');
    expect(stdout).toContain('certificate_change');
    expect(stdout).toContain('Look [2Jout.');
  });

  it('prints a response that it cannot read, and stores nothing', async () => {
    service.state.change = (created) => ({ ...(created as object), watch_id: '../../w' });
    const { code, stdout, stderr } = await create(['--yes']);
    expect([code, existsSync(join(buyer.home, 'touchstone', 'watches'))]).toEqual([2, false]);
    expect(stdout).toContain(WATCH_SECRET);
    expect(stderr).toContain('not a watch that this version can read');
  });

  it('prints the response unchanged with --json', async () => {
    const { code, stdout, stderr } = await create(['--yes', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ watch_id: WATCH_ID, secret: WATCH_SECRET });
    expect(stderr).not.toContain(WATCH_SECRET);
    expect(stderr).toContain(toFile(buyer));
  });
});

describe('touchstone watch renew', () => {
  it('buys 30 more days from the service of the stored watch', async () => {
    await create(['--yes']);
    const { code, stdout, stderr } = await buyer.run(['watch', 'renew', '--yes', WATCH_ID]);
    expect(code).toBe(0);
    expect(stderr).toContain(`30 more days of the watch ${WATCH_ID}`);
    expect(stdout).toContain('2026-12-23 00:00 UTC');
    expect(service.signatures).toHaveLength(2);
    expect(service.requests).toEqual([]);
  });

  it('needs a service for a watch that is not stored, and the id of a watch', async () => {
    const unknown = await buyer.run(['watch', 'renew', '--yes', WATCH_ID]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('No service is configured')]);
    const wrong = await buyer.run(['watch', 'renew', '--yes', '../../x']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is not the id of a watch')]);
  });
});
