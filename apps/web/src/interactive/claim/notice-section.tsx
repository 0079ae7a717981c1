import { useState } from 'react';
import { Button, TextField } from '../../page-parts/form-parts.tsx';
import { Section } from '../../page-parts/section.tsx';
import { CopyLine } from './copy-line.tsx';
import { SectionForm } from './form.tsx';
import { useEdit, useSession } from './session.ts';

/** Hosts of the incoming webhooks of Slack and Discord. */
const CHAT_HOSTS: readonly string[] = ['hooks.slack.com', 'discord.com', 'discordapp.com'];

/** Returns the edit that sends notices to a typed URL. The URL of a chat belongs to another member than a webhook. */
export function toNotices(typed: string) {
  const url = typed.trim();
  const isChat = CHAT_HOSTS.includes(URL.parse(url)?.hostname ?? '');
  return { notices: isChat ? { slack_url: url } : { webhook_url: url } };
}

/** URL that gets free messages about outages and changed payTo addresses. */
export function NoticeSection() {
  const { notices } = useSession().claim.settings;
  const { edit, ...state } = useEdit();
  const [url, setUrl] = useState('');
  const [webhookSecret, setWebhookSecret] = useState<string | null>(null);
  return (
    <Section id="notices" title="Notices" className="mt-12">
      <p className="mt-2 max-w-3xl [overflow-wrap:anywhere] text-ink-soft">
        {notices === null
          ? 'Free messages about an outage, its end and a changed payTo address, for at most 20 endpoints of the host.'
          : `Sent to ${notices.url}, for ${String(notices.resources.length)} of your endpoints.`}
        {notices === null || notices.disabled_reason === null
          ? null
          : ' The messages failed and have stopped. Enter the URL again to resume.'}
      </p>
      <SectionForm
        state={state}
        button="Test and save the URL"
        done="Saved."
        onSubmit={() =>
          edit(toNotices(url), ({ webhook_secret: secret }) => {
            setUrl('');
            setWebhookSecret(secret);
          })
        }
      >
        <TextField
          label="URL of a webhook, or of an incoming webhook of Slack or Discord"
          hint="It gets a test message first. The URL of a chat is never shown again."
          field={{ type: 'text', value: url, onChange: ({ target }) => setUrl(target.value) }}
        />
      </SectionForm>
      {webhookSecret === null ? null : (
        <CopyLine
          label="Secret that verifies the messages of a webhook, shown only now"
          text={webhookSecret}
        />
      )}
      {notices === null ? null : (
        <p className="mt-4">
          <Button look="danger" onClick={() => edit({ notices: null })}>
            Stop the notices
          </Button>
        </p>
      )}
    </Section>
  );
}
