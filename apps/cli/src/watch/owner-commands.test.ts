import { watchSchema } from '@touchstone/contract';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openBuyer, RESOURCE, type TestBuyer } from '../testing/buyer.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { openWatchService, WATCH_ID, WATCH_SECRET, type WatchService } from '../testing/watch-service.ts';

let buyer: TestBuyer;
let service: WatchService;
beforeEach(async () => {
  buyer = openBuyer();
  service = await openWatchService();
  await buyer.run(['watch', 'create', '--service', service.base, '--yes', RESOURCE]);
});
afterEach(async () => {
  buyer[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});
const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('touchstone watch show', () => {
  it('shows the watch with the stored secret, and the state of its deliveries', async () => {
    const { code, stdout, stderr } = await buyer.run(['watch', 'show', WATCH_ID]);
    expect([code, stderr]).toEqual([0, '']);
    expect(service.requests).toMatchObject([{ method: 'GET', authorization: `Bearer ${WATCH_SECRET}` }]);
    expect(oneLine(stdout)).toContain('Status active');
    expect(oneLine(stdout)).toContain(
      'webhook https://hooks.example.com/…erts failing, failing since 2026-11-23 10:00 UTC, 3 pending events, latest attempt 2026-11-23 10:05 UTC with http-500',
    );
    expect(stdout).not.toContain(WATCH_SECRET);
    const json = await buyer.run(['watch', 'show', '--json', WATCH_ID]);
    expect(JSON.parse(json.stdout)).toMatchObject({ watch_id: WATCH_ID, status: 'active' });
  });

  it('numbers destinations with the same shortened URL', async () => {
    const { stdout: text } = await buyer.run(['watch', 'show', '--json', WATCH_ID]);
    const watch = watchSchema.parse(JSON.parse(text));
    const [webhook] = watch.delivery.webhooks;
    service.state.fault = (_request, response) => {
      response.end(JSON.stringify({ ...watch, delivery: { webhooks: [webhook, webhook], chats: [] } }));
      return true;
    };
    const { code, stdout } = await buyer.run(['watch', 'show', WATCH_ID]);
    expect([code, stdout.match(/webhook https:\/\/hooks.example.com\/…erts \(\d of 2\) failing/g)]).toEqual([
      0,
      [1, 2].map((number) => `webhook https://hooks.example.com/…erts (${String(number)} of 2) failing`),
    ]);
  });

  it('uses the secret of the variable for a watch that is not stored', async () => {
    using stranger = openBuyer();
    const args = ['watch', 'show', '--service', service.base, WATCH_ID];
    const shown = await stranger.run(args, undefined, { TOUCHSTONE_WATCH_SECRET: WATCH_SECRET });
    expect([shown.code, oneLine(shown.stdout)]).toEqual([0, expect.stringContaining('Status active')]);
    const missing = await stranger.run(args);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('There is no secret of w_')]);
    const wrong = await stranger.run(args, undefined, { TOUCHSTONE_WATCH_SECRET: 'wsk_guess' });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('contains no secret of a watch')]);
    expect(wrong.stderr).not.toContain('guess');
    const other = `wsk_${'B2'.repeat(21)}y`;
    const refused = await stranger.run(args, undefined, { TOUCHSTONE_WATCH_SECRET: other });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('401 unauthorized')]);
    expect(refused.stderr).toContain('TOUCHSTONE_WATCH_SECRET if it is set');
  });

  it('sends a stored secret to no other service', async () => {
    await using other = await openWatchService();
    const args = ['watch', 'show', '--service', other.base, WATCH_ID];
    const { code, stderr } = await buyer.run(args);
    expect([code, other.requests]).toEqual([2, []]);
    expect(stderr).toContain(`its stored secret is not sent to ${other.base}`);
    // The stored watch names its service. The environment variable TOUCHSTONE_SERVICE does not replace that service.
    vi.stubEnv('TOUCHSTONE_SERVICE', other.base);
    onTestFinished(() => void vi.unstubAllEnvs());
    const shown = await buyer.run(['watch', 'show', WATCH_ID]);
    expect([shown.code, other.requests, service.requests.length]).toEqual([0, [], 1]);
  });

  it.each([
    ['no JSON', 'not JSON'],
    ['a member twice', `{"watch_id":"${WATCH_ID}","watch_id":"${WATCH_ID}"}`],
    ['another object', '{"status":"active"}'],
  ])('rejects a response with %s', async (_, body) => {
    service.state.fault = (_request, response) => {
      response.end(body);
      return true;
    };
    const { code, stdout, stderr } = await buyer.run(['watch', 'show', WATCH_ID]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('not one that this version can read');
  });

  it('follows no redirect, so that no other host gets the secret', async () => {
    await using other = await openWatchService();
    service.state.fault = ({ url }, response) => {
      response.writeHead(307, { location: `${other.base}${url.pathname}` }).end();
      return true;
    };
    const { code, stderr } = await buyer.run(['watch', 'show', WATCH_ID]);
    expect([code, other.requests]).toEqual([2, []]);
    expect(stderr).toContain('returned 307');
  });
});

describe('touchstone watch edit', () => {
  it.each([
    [
      ['--webhook', 'https://new.example.com/a', '--sensitivity', '5'],
      { liveness_sensitivity_n: 5, delivery: { webhook_urls: ['https://new.example.com/a'] } },
    ],
    [['--no-webhooks'], { delivery: { webhook_urls: [] } }],
    [['--no-slack'], { delivery: { slack_urls: [] } }],
    [
      ['--no-webhooks', '--slack', 'https://hooks.slack.com/services/T/B/c', '--events', 'delisting'],
      {
        events: ['delisting'],
        delivery: { webhook_urls: [], slack_urls: ['https://hooks.slack.com/services/T/B/c'] },
      },
    ],
  ])('sends only the given settings: %j', async (options, body) => {
    const { code, stdout } = await buyer.run(['watch', 'edit', WATCH_ID, ...options]);
    expect([code, oneLine(stdout)]).toEqual([0, expect.stringContaining('Status active')]);
    expect(service.requests.map(({ method, body: sent }) => [method, JSON.parse(sent) as unknown])).toEqual([
      ['PATCH', body],
    ]);
  });

  it.each([
    [[], 'Nothing to change'],
    [['--webhook', 'https://new.example.com/a', '--no-webhooks'], 'not both'],
    [['--sensitivity', 'two'], '`liveness_sensitivity_n` must be a whole number'],
  ])('sends nothing for %j', async (options, message) => {
    const { code, stderr } = await buyer.run(['watch', 'edit', WATCH_ID, ...options]);
    expect([code, service.requests, stderr]).toEqual([2, [], expect.stringContaining(message)]);
  });

  it('prints the error of the service', async () => {
    service.state.fault = (_request, response) => {
      response.statusCode = 422;
      response.end(
        '{"code":"delivery-unreachable","detail":"A delivery URL failed: \\u001b[31mhttp-404.","errors":[]}',
      );
      return true;
    };
    const args = ['watch', 'edit', '--webhook', 'https://new.example.com/a', WATCH_ID];
    const { code, stderr } = await buyer.run(args);
    expect(code).toBe(2);
    expect(stderr).toContain('422 delivery-unreachable: A delivery URL failed: [31mhttp-404.');
  });
});

describe('touchstone watch cancel', () => {
  it('cancels after a confirmation, or with --yes', async () => {
    for (const input of [undefined, 'n\n'])
      expect((await buyer.run(['watch', 'cancel', WATCH_ID], input)).code).toBe(2);
    expect(service.requests).toEqual([]);
    const confirmed = await buyer.run(['watch', 'cancel', WATCH_ID], 'y\n');
    expect([confirmed.code, oneLine(confirmed.stdout)]).toEqual([
      0,
      expect.stringContaining('Cancelled 2026-11-24 00:00 UTC'),
    ]);
    expect((await buyer.run(['watch', 'cancel', '--yes', WATCH_ID])).code).toBe(0);
    expect(service.requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });
});

describe('touchstone watch list', () => {
  it('lists the stored watches without their secrets', async () => {
    const list = (...more: readonly string[]) =>
      runInProcess(['watch', 'list', ...more], '', { env: { XDG_STATE_HOME: buyer.home } });
    const none = await runInProcess(['watch', 'list'], '', { env: { XDG_STATE_HOME: '/nowhere' } });
    expect([none.code, none.stdout, none.stderr]).toEqual([
      0,
      '',
      expect.stringContaining('No watch is stored'),
    ]);
    expect((await list()).stdout).toBe(`${WATCH_ID}  ${RESOURCE}  ${service.base}\n`);
    const json = await list('--json');
    expect(JSON.parse(json.stdout)).toEqual({ id: WATCH_ID, endpoint: RESOURCE, service: service.base });
  });
});
