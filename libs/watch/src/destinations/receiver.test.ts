import { describe, expect, it } from 'vitest';
import { toReceiver } from './receiver.ts';

describe('toReceiver', () => {
  it.each([
    ['https://example.com/hook', 'example.com'],
    ['https://w1.evil.test/a', 'evil.test'],
    ['https://a.b.c.evil.test:8443/b?c=1', 'evil.test'],
    ['https://EVIL.test./', 'evil.test'],
    ['https://a_b.evil.test/', 'evil.test'],
    ['https://hooks.example.co.uk/', 'example.co.uk'],
    ['https://203.0.113.7/a', '203.0.113.7'],
    ['https://[2001:db8::1]/a', '[2001:db8::1]'],
    // The platform may read any of the two parameters.
    ['https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=1&key=2', 'qq.com'],
    // Customers register their names below these domains.
    ['https://shop.vercel.app/a', 'shop.vercel.app'],
    ['https://tax.gob.mx/a', 'tax.gob.mx'],
    ['https://x1.execute-api.us-east-1.amazonaws.com/a', 'x1.execute-api.us-east-1.amazonaws.com'],
    ['https://vercel.app/a', 'vercel.app'],
    // Other hosts can accept the format of Slack. Their URLs are counted by domain.
    ['https://chat.example.com/hooks/abc', 'example.com'],
  ])('counts %s as %s', (url, receiver) => {
    expect(toReceiver(url)).toBe(receiver);
  });

  const SLACK = 'hooks.slack.com/services/T1/B2/s3cr3t';
  const DISCORD = 'discord.com/api/webhooks/1/s3cr3t';
  const WORKFLOW = 'prod-1.westus.logic.azure.com/workflows/w1/triggers/manual/paths/invoke';
  it.each([
    [SLACK, ['?1', '/', '#a', '/more'].map((end) => `${SLACK}${end}`)],
    [SLACK, ['hooks.slack.com./services/T1/B2/s3cr3t', 'hooks.slack.com/services//T1/B2/s3cr%33t']],
    [DISCORD, ['ptb.discord.com/api/webhooks/1/s3cr3t', 'discord.com/api/v10/webhooks/1/s3cr3t']],
    [DISCORD, ['?wait=true', '/slack', '/github'].map((end) => `${DISCORD}${end}`)],
    ['hooks.zapier.com/hooks/catch/12/abc', ['hooks.zapier.com/hooks/catch/12/def?a']],
    ['hook.eu1.make.com/abc', ['hook.eu1.make.com/abc?a', 'hook.eu1.make.com./abc/d']],
    [WORKFLOW, [`${WORKFLOW}?sig=1`, `${WORKFLOW}/a`]],
    ['chat.googleapis.com/v1/spaces/A/messages?key=1', ['chat.googleapis.com/v1/spaces/A/messages?key=2']],
    ['oapi.dingtalk.com/robot/send?access_token=1', ['oapi.dingtalk.com/robot/send?access_token=1&a=2']],
    ['a.m.pipedream.net/', ['a.m.pipedream.net/b?c']],
  ])('counts all forms of %s as one receiver', (url, forms) => {
    expect(new Set([url, ...forms].map((form) => toReceiver(`https://${form}`))).size).toBe(1);
  });

  it('counts each chat and each customer of a shared host, and does not contain the URL', () => {
    const urls = [
      ...[SLACK, `${SLACK}x`, DISCORD, `${DISCORD}x`, WORKFLOW, WORKFLOW.replace('w1', 'w2')],
      ...['hooks.zapier.com/hooks/catch/12/a', 'hooks.zapier.com/hooks/catch/13/a'],
      ...['hook.eu1.make.com/a', 'hook.eu1.make.com/b', 'hook.eu2.make.com/a'],
      ...['chat.googleapis.com/v1/spaces/A/messages', 'chat.googleapis.com/v1/spaces/B/messages'],
      ...['a', 'b'].flatMap((customer) => [
        ...[`open.feishu.cn/open-apis/bot/v2/hook/${customer}`],
        ...[`open.larksuite.com/open-apis/bot/v2/hook/${customer}`],
        ...[`maker.ifttt.com/trigger/event/with/key/${customer}`, `webhook.site/${customer}`],
        ...[`api.telegram.org/bot${customer}/sendMessage`, `${customer}.webhook.office.com/webhookb2`],
        ...[`oapi.dingtalk.com/robot/send?access_token=${customer}`, `${customer}.m.pipedream.net/`],
        ...[`qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${customer}`, `${customer}.app.n8n.cloud/webhook`],
        ...[`${customer}.environment.api.powerplatform.com/powerautomate`],
      ]),
    ];
    const receivers = urls.map((url) => toReceiver(`https://${url}`));
    expect(new Set(receivers).size).toBe(urls.length);
    for (const receiver of receivers) expect(receiver).toMatch(/^path [0-9a-f]{64}$/);
  });
});
