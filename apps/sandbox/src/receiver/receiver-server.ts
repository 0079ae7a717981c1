import type { Server } from 'node:http';
import { createJsonServer, respondError, respondJson, type JsonServerResponse } from '../http/json-server.ts';
import type { Channel } from './imitated-service.ts';
import { MAX_DELIVERIES, type Delivery, type Receiver } from './receiver.ts';

/** Style sheet of the page with the deliveries. Its colors follow the light or dark mode of the system. */
const STYLE = `:root { color-scheme: light dark; --line: light-dark(#d4d4d8, #3f3f46); --quiet: light-dark(#52525b, #a1a1aa); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; background: light-dark(#fff, #18181b); color: light-dark(#18181b, #f4f4f5); }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.0625rem; margin: 0; }
p { margin: .25rem 0; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; margin: .25rem 0 .75rem; padding: .5rem; border: 1px solid var(--line); border-radius: .25rem; }
article { padding: .75rem 0; border-top: 1px solid var(--line); }
.quiet { color: var(--quiet); font-size: .875rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.failed { color: light-dark(#b91c1c, #fca5a5); }
summary { cursor: pointer; padding: .25rem 0; }
a { color: inherit; }
`;

/**
 * Script of the page with the deliveries. The script reads the page again every three seconds and inserts only new
 * deliveries, so that open details, the focus and the scroll position stay.
 */
const SCRIPT = `const list = document.getElementById('deliveries');
const state = document.getElementById('state');
const refresh = async () => {
  const response = await fetch('/');
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const current = [...page.getElementById('deliveries').children];
  const ids = new Set(current.map(({ id }) => id));
  list.prepend(...current.filter(({ id }) => !document.getElementById(id)));
  for (const article of [...list.children]) if (!ids.has(article.id)) article.remove();
  if (state.textContent !== page.getElementById('state').textContent) state.textContent = page.getElementById('state').textContent;
};
const run = () => refresh().catch(() => { state.textContent = 'The sandbox does not respond.'; }).finally(() => setTimeout(run, 3000));
setTimeout(run, 3000);
`;

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
  const { id, at, channel, host, path, status, type, text, headers, body } = delivery;
  const title = type ?? CHANNEL_TITLES[channel];
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `<article id="delivery-${id}-${Date.parse(at)}">
<h2>${escapeHtml(title)}</h2>
<p class="quiet"><time datetime="${at}">${formatTime(at)}</time> · <code>${escapeHtml(host + path)}</code> · ${renderStatus(status)}</p>
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
function renderReceiverPage(deliveries: readonly Delivery[]): string {
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

/**
 * The page may load only its own style sheet, script and data, so that text of a delivery can never run as a script.
 */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function respondText(type: string, text: string): JsonServerResponse {
  return {
    status: 200,
    text,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
    },
  };
}

/** Creates the server of the page with the deliveries, `GET /`, and of the same data as JSON, `GET /deliveries`. */
export function createReceiverServer({ list }: Pick<Receiver, 'list'>): Server {
  return createJsonServer(({ method, path }) => {
    if (method !== 'GET') return respondError(405, 'use GET');
    switch (path) {
      case '/':
        return respondText('text/html', renderReceiverPage(list()));
      case '/style.css':
        return respondText('text/css', STYLE);
      case '/refresh.js':
        return respondText('text/javascript', SCRIPT);
      case '/deliveries':
        return respondJson(200, { deliveries: list() });
      default:
        return respondError(404, 'not found');
    }
  });
}
