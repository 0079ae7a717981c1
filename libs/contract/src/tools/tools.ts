import type { Operation } from '../operations/operation.ts';
import { OPERATIONS } from '../operations/operations.ts';
import { BULK_SIZES } from '../requests/bulk-requests.ts';
import { createToolInput, type Tool } from './tool.ts';

/** Kinds of effects of a tool, with the hints of MCP. */
const EFFECTS = {
  /** Free operation that changes nothing. */
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  /** Paid operation. Clients may call read-only tools without asking, so a tool that costs money is not read-only. */
  pay: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  /** Operation that replaces settings or ends a watch. Repeating it changes nothing more. */
  change: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const;

interface ToolText {
  readonly name: string;
  readonly title: string;
  /** Use and result of the tool, and the tool to call next. The price is added. */
  readonly text: string;
  readonly effect: keyof typeof EFFECTS;
  /** True when a result has text of providers, or a call contacts other hosts. */
  readonly isOpenWorld: boolean;
  readonly isSlow?: boolean;
  /** Ids of the operations. */
  readonly operations: readonly string[];
}

const ENDPOINT_TOOLS: readonly ToolText[] = [
  {
    name: 'x402_summary',
    title: 'Free summary of an x402 endpoint',
    text: 'Use it first, before you pay an x402 endpoint. Give the URL, and payTo and network of its payment challenge if you have one. Returns score, grade, recommendation (proceed, caution, parameterize, avoid, unverified, free), uptime, price range, payment options, and whether that payTo address was observed at this endpoint. endpoint: null means that it is unknown. Names no reasons: call x402_trust_score for them, or x402_find_alternatives when it says avoid.',
    effect: 'read',
    isOpenWorld: true,
    operations: ['findEndpointSummary'],
  },
  {
    name: 'x402_trust_score',
    title: 'Trust report on an x402 endpoint',
    text: 'Use it before a first or large payment to an x402 endpoint, and when x402_summary says caution or unverified, or does not know it. Probes the endpoint live. Returns a signed report: score, grade, recommendation with reasons, all flags with evidence, advertised price, settlements on chain and compliance. Adds an unknown endpoint to the catalog. Next: pay on proceed; call x402_find_alternatives on avoid.',
    effect: 'pay',
    isOpenWorld: true,
    isSlow: true,
    operations: ['getTrustReport'],
  },
  {
    name: 'x402_find_alternatives',
    title: 'Better alternatives to an x402 endpoint',
    text: 'Use it when an endpoint should be avoided or is too expensive or slow. Returns endpoints of other hosts with the same purpose and a score at least minScoreDelta points better, each with grade, recommendation, price and network. An empty list means that none is better, and is charged too. Next: call x402_summary or x402_trust_score for the alternative that you want to pay.',
    effect: 'pay',
    isOpenWorld: true,
    operations: ['findAlternatives'],
  },
  {
    name: 'x402_semantic_search',
    title: 'Search for x402 endpoints by purpose',
    text: 'Use it to find paid APIs for a task. Describe the purpose in plain words, such as "weather forecast for a city". Returns matching endpoints with score and grade, best first, without recommendation. Fewer matches than the limit, or none, are charged too. Next: call x402_summary or x402_trust_score for a match before you pay it.',
    effect: 'pay',
    isOpenWorld: true,
    operations: ['searchEndpoints'],
  },
  {
    name: 'x402_history',
    title: 'Observation history of an x402 endpoint',
    text: 'Use it to examine how reliable and stable an endpoint was in the last 1 to 90 days, such as after an outage or a changed price. Returns every change of price, payTo, network and asset, listings, each probe with its outcome, and uptime, latency and score by day. Set resolution to "daily" to leave out single probes. For the present state, x402_trust_score is cheaper.',
    effect: 'pay',
    isOpenWorld: true,
    operations: ['getHistory'],
  },
  {
    name: 'x402_trust_bulk',
    title: 'Trust scores of many x402 endpoints',
    text: 'Use it to compare or filter up to 500 known endpoints with one payment. For up to 8, x402_trust_score for each costs less; for 11 to 40, calls with 10 each. Returns score, grade, recommendation, confidence and error flags of each one, in the order of the request, from stored scores without live probes. If no endpoint is in the catalog, nothing is charged. Next: call x402_trust_score for the endpoint that you want to pay.',
    effect: 'pay',
    isOpenWorld: true,
    // In ascending order, so that a call uses the cheapest operation that fits.
    operations: BULK_SIZES.map((size) => `getTrustBulk${String(size)}`),
  },
  {
    name: 'x402_preview',
    title: 'Three sample trust reports',
    text: 'Use it to see what x402_trust_score returns before you buy a report. Returns three complete reports: on the endpoints with the best, the median and the worst score. You cannot choose the endpoints. The result is long.',
    effect: 'read',
    isOpenWorld: true,
    operations: ['getTrustPreview'],
  },
  {
    name: 'x402_leaderboard',
    title: 'The 25 best-scored x402 endpoints',
    text: 'Use it to find reliable x402 endpoints of any purpose. Returns up to 25 endpoints with score, grade, recommendation, uptime, price and network, best first. To find endpoints for a purpose, call x402_semantic_search.',
    effect: 'read',
    isOpenWorld: true,
    operations: ['getLeaderboard'],
  },
  {
    name: 'x402_stats',
    title: 'The x402 ecosystem in numbers',
    text: 'Use it for questions on x402 as a whole. Returns the numbers of known, listed, reachable and compliant endpoints, of providers and of probes, and the distribution of grades and recommendations.',
    effect: 'read',
    isOpenWorld: false,
    operations: ['getStats'],
  },
];

const WATCH_TOOLS: readonly ToolText[] = [
  {
    name: 'x402_watch_create',
    title: 'Watch an x402 endpoint for 30 days',
    text: 'Use it for an endpoint that you pay often. It is probed every 5 minutes for 30 days, and you are alerted of a changed payTo, price, asset or network, a delisting, an outage and its end. Give delivery URLs for signed webhooks, Slack or Discord, or read the alerts with x402_watch_events. Each delivery URL is tested first; if a test fails, nothing is charged. Returns id and secret of the watch. Store the secret: it is shown once, and all other watch tools except renew need it.',
    effect: 'pay',
    isOpenWorld: true,
    isSlow: true,
    operations: ['createWatch'],
  },
  {
    name: 'x402_watch_events',
    title: 'Alerts of a watch',
    text: 'Use it to read what happened to a watched endpoint. Needs id and secret of the watch. Returns the alerts and the events on the watch itself, oldest first, at most 100 of each. Next time, send next_cursor as since and watch_events_cursor as watch_since to get only new events.',
    effect: 'read',
    isOpenWorld: true,
    operations: ['readWatchEvents'],
  },
  {
    name: 'x402_watch_show',
    title: 'Status and settings of a watch',
    text: 'Use it to see whether a watch is active, when it ends, which alerts it reports, and whether its deliveries succeed. Needs id and secret of the watch. Next: call x402_watch_edit to correct a setting, or x402_watch_renew before the watch ends.',
    effect: 'read',
    isOpenWorld: false,
    operations: ['getWatch'],
  },
  {
    name: 'x402_watch_edit',
    title: 'Change the settings of a watch',
    text: 'Use it to change the types of alerts, the sensitivity or the delivery URLs of a watch. Needs id and secret of the watch, and at least one setting. Settings that are left out stay the same; all webhooks, or all chats, are replaced together. New URLs are tested first; if a test fails, nothing changes. Returns the watch.',
    effect: 'change',
    isOpenWorld: true,
    isSlow: true,
    operations: ['editWatch'],
  },
  {
    name: 'x402_watch_cancel',
    title: 'Cancel a watch',
    text: 'Use it only when the alerts are no longer wanted: it ends the watch now, and nothing is refunded. Needs id and secret of the watch. Returns the cancelled watch. Its events can be read for 30 more days. A cancelled watch cannot be renewed.',
    effect: 'change',
    isOpenWorld: false,
    operations: ['cancelWatch'],
  },
  {
    name: 'x402_watch_renew',
    title: 'Thirty more days of a watch',
    text: 'Use it before a watch ends, or at most 7 days after. Adds 30 days; id, secret, settings and events stay the same. Needs the id of the watch, and no secret. A cancelled watch cannot be renewed, and nothing is charged: call x402_watch_create instead. Returns the new end.',
    effect: 'pay',
    isOpenWorld: false,
    operations: ['renewWatch'],
  },
];

/** All MCP tools, in display order. */
export const TOOLS: readonly Tool[] = [...ENDPOINT_TOOLS, ...WATCH_TOOLS].map(createTool);

function createTool({
  name,
  title,
  text,
  effect,
  isOpenWorld,
  isSlow = false,
  operations: ids,
}: ToolText): Tool {
  const operations = ids.map(requireOperation);
  // The last operation has the widest limits, and all operations of a tool have the same response.
  const widest = operations.at(-1);
  if (widest === undefined) throw new Error(`The tool ${name} has no operation`);
  return {
    name,
    title,
    description: `${text} ${formatPrice(operations)}`,
    operations,
    input: createToolInput(widest),
    output: widest.response.schema,
    annotations: { title, ...EFFECTS[effect], openWorldHint: isOpenWorld },
    isSlow,
  };
}

function requireOperation(id: string): Operation {
  const operation = OPERATIONS.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`The contract has no operation ${id}`);
  return operation;
}

/** Formats the price of a tool, such as "Price: $0.005 per call, paid with x402." */
function formatPrice(operations: readonly Operation[]): string {
  const prices = operations.flatMap(({ priceUsd }) => (priceUsd === null ? [] : [formatPriceUsd(priceUsd)]));
  const [first, ...others] = prices;
  if (first === undefined) return 'Free.';
  if (others.length === 0) return `Price: ${first} per call, paid with x402.`;
  const sizes = BULK_SIZES.map((size, at) => `${prices[at] ?? ''} for up to ${String(size)}`).join(', ');
  return `Price: ${sizes} URLs, paid with x402.`;
}

/** Formats a price without zeros at the end, but with at least two decimals, such as `$0.005` and `$0.20`. */
export function formatPriceUsd(priceUsd: string): string {
  return `$${priceUsd.replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}
