import { MAX_DELIVERIES, type Channel, type Delivery } from './delivery-log.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
}

const CHANNEL_TITLES: Readonly<Record<Channel, string>> = {
  webhook: 'Webhook without a type',
  slack: 'Message to Slack',
  discord: 'Message to Discord',
};

/** Formats a time like `2026-11-23 09:15:02 UTC`. */
function formatTime(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** Formats a JSON body with indentation. Returns any other body unchanged. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function renderStatus(status: number): string {
  return status < 300
    ? `accepted with status ${status}`
    : `<span class="failed">refused with status ${status}</span>`;
}

function renderDelivery(delivery: Delivery): string {
  const { id, at, channel, host, path, status, type, event, text, headers, body } = delivery;
  const title = event ?? CHANNEL_TITLES[channel];
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `<article id="delivery-${id}-${Date.parse(at)}">
<h2>${escapeHtml(title)}</h2>
<p class="quiet"><time datetime="${at}">${formatTime(at)}</time> · <code>${escapeHtml(host + path)}</code>${type === null ? '' : ` · <code>${escapeHtml(type)}</code>`} · ${renderStatus(status)}</p>
${text === null ? '' : `<p class="text">${escapeHtml(text)}</p>\n`}<details><summary>Headers and body</summary>
<pre>${escapeHtml(headerLines.join('\n'))}</pre>
<pre>${escapeHtml(formatBody(body))}</pre>
</details>
</article>`;
}

function formatState(count: number): string {
  if (count === 0) return 'No deliveries yet.';
  const shown = count === 1 ? '1 delivery' : `${count} deliveries`;
  return count < MAX_DELIVERIES ? `${shown}, newest first.` : `The last ${shown}, newest first.`;
}

/** Renders the page with the deliveries, newest first. Texts of deliveries are untrusted and escaped. */
export function renderReceiverPage(deliveries: readonly Delivery[]): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Alerts in the sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<script type="module" src="/refresh.js"></script>
</head>
<body>
<main>
<h1>Alerts in the sandbox</h1>
<p>This page shows what the sandbox received at <code>https://receiver.sandbox.test</code>, <code>https://slack.sandbox.test</code> and <code>https://discord.sandbox.test</code>. Use such URLs, with any path, as destinations of a watch. New deliveries appear within a few seconds.</p>
<p id="state" role="status">${formatState(deliveries.length)}</p>
<div id="deliveries">
${deliveries.map(renderDelivery).join('\n')}
</div>
</main>
</body>
</html>
`;
}
