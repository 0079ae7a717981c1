/**
 * Verbs of calls that change something outside of the response: they send, publish, trade or order. `strong` verbs refuse
 * a call anywhere in a text. The other verbs are also nouns of data APIs ("order book", "trade history", "search for
 * posts"), so they refuse a call only where a verb can be. `data` names the words after which such a noun is meant.
 */
interface ActionRule {
  readonly verb: string;
  readonly isStrong?: true;
  readonly data?: string;
}

const DATA =
  'data|feeds?|history|histories|stats|statistics|analytics|analysis|info|information|metadata|lists?|logs?';
const PRICES = 'price|prices|rates?|quotes?|fees?|volumes?|routes?|signals?|alerts|ideas|events?';

const RULES: readonly ActionRule[] = [
  // Messages.
  { verb: 'send', isStrong: true },
  {
    verb: 'e ?mail',
    data: 'valid|verif|lookup|search|address|finder|checker?|format|extract|pars|risk|reputation',
  },
  { verb: 'message', data: 'content|templates?' },
  { verb: 'tweet', data: 'content|sentiment|search|metrics' },
  { verb: 'post', data: 'search|content|metrics|sentiment|office|codes?' },
  { verb: 'reply' },
  { verb: 'comment', data: 'search|content|sentiment' },
  { verb: 'notify', isStrong: true },
  { verb: 'call', data: 'transcripts?|graph|options?|tree' },
  { verb: 'dial' },
  { verb: 'invite' },
  { verb: 'fax' },
  // Publication and accounts.
  { verb: 'publish', isStrong: true },
  { verb: 'broadcast', isStrong: true },
  { verb: 'upload', isStrong: true },
  { verb: 'register', isStrong: true, data: 'search|lookup|entry|entries' },
  { verb: 'unregister', isStrong: true },
  { verb: 'sign ?up' },
  { verb: 'enroll?' },
  { verb: 'submit', isStrong: true },
  { verb: 'apply' },
  { verb: 'unsubscribe', isStrong: true },
  { verb: 'subscribe', isStrong: true },
  { verb: 'renew', isStrong: true },
  { verb: 'upgrade' },
  { verb: 'vote', data: 'counts?|results?|power' },
  { verb: 'follow' },
  { verb: 'like' },
  // Money and tokens.
  { verb: 'buy', isStrong: true, data: 'and sell|sell|or sell|side|pressure|ratio' },
  { verb: 'sell', data: 'side|pressure|ratio' },
  { verb: 'purchase', isStrong: true },
  { verb: 'order', data: 'books?|flows?|depth|status' },
  { verb: 'book', data: 'summary|summaries|search|reviews?|recommendations?|content|titles?|covers?|value' },
  { verb: 'reserve', data: 'ratios?|balances?|proofs?' },
  { verb: 'rent' },
  { verb: 'hire' },
  { verb: 'mint', isStrong: true, data: 'address(?:es)?|authority|dates?|time|timestamps?|account' },
  { verb: 'trade', data: 'signals?|setups?|flows?|balance|suggestions?|volumes?' },
  { verb: 'swap', data: 'pools?|paths?|simulation' },
  { verb: 'bridge', data: 'tvl|status' },
  { verb: 'transfer' },
  { verb: 'transact' },
  { verb: 'withdraw', isStrong: true },
  { verb: 'deposit', data: 'apy|yields?|addresses' },
  { verb: 'stake' },
  { verb: 'unstake', isStrong: true },
  { verb: 'borrow', data: 'apy' },
  { verb: 'lend' },
  { verb: 'liquidate', isStrong: true },
  { verb: 'donate', isStrong: true },
  { verb: 'tip' },
  { verb: 'bet', data: 'odds' },
  { verb: 'gamble', isStrong: true },
  { verb: 'spin' },
  { verb: 'claim', data: 'checks?|verification' },
  { verb: 'redeem', isStrong: true },
  { verb: 'airdrop', isStrong: true, data: 'eligib|checker?|trackers?|calendar' },
  { verb: 'top ?up', isStrong: true },
  { verb: 'check ?out' },
  { verb: 'refund', isStrong: true },
  { verb: 'approve' },
  { verb: 'sign', data: 'language' },
  // Servers and stored data.
  { verb: 'deploy', isStrong: true },
  { verb: 'launch', data: 'calendar|dates?' },
  { verb: 'delete', isStrong: true },
  { verb: 'remove', data: 'backgrounds?|noise' },
  { verb: 'cancel', isStrong: true },
  { verb: 'execute', isStrong: true },
  { verb: 'shut ?down', isStrong: true },
  { verb: 'reboot', isStrong: true },
  { verb: 'print' },
  { verb: 'schedule', data: 'of' },
  { verb: 'store' },
  { verb: 'save' },
  { verb: 'update', data: 'of|on|about' },
  { verb: 'write', data: 'ups?' },
];

/** Phrases of calls that move money or value, ship something, or act on other systems. */
const PHRASES = [
  /\b(?:sms|text messages?|outbound|mailing|whatsapp|webhooks?|courier|dispatch(?:es|ing)?|provision(?:s|ing)?)\b/,
  /\b(?:delivery|deliveries) (?:for|to|of (?:food|goods|parcels?))\b|\b(?:pizza|food|parcel) deliver/,
  /\b(?:load tests?|ddos|flood(?:s|ing)?|trigger(?:s|ing)?|wip(?:e|es|ing)|resets?|shell|boost(?:s|ing)?|followers)\b/,
  /\b(?:run|runs|running|execut\w+) .{0,30}\b(?:commands?|code|scripts?|programs?)\b/,
  /\b(?:open|close)(?:s|ing)? .{0,20}\bpositions?\b|\bfil(?:e|es|ing) (?:an?|the|your) /,
  /\bcreat(?:e|es|ing) .{0,30}\b(?:accounts?|wallets?|servers?|numbers?|invoices?|orders?|tickets?|issues?|emails?)\b/,
  /\b(?:domain|company|user|account) registration\b|\b(?:police|emergency)\b/,
  /\b(?:presale|donations?|withdrawals?|raffle|lottery|checkout|payment link|top ?up|gift ?cards?|e ?sims?)\b/,
  /\b(?:sent|delivered|shipped) to (?:you|your|the)\b/,
  /\bpay\b.{0,60}\b(?:get|receive)\b.{0,60}(?:\b(?:tokens?|nfts?|coins?)\b|\$[a-z])/,
  /\bpay(?:s|ing)?\b.{0,60}\b(?:merchants?|bills?|invoices?|recipients?)\b/,
];

/** Start of a clause, or a word after which a verb in its base form can be. */
const BEFORE_BASE =
  "(?:^|[^\\p{L}\\p{N}\\s'’]\\s*|\\b(?:to|can|will|and|or|then|you|automatically|instantly|auto|new|create|make|place|do|batch|please)\\s+)";
/** Start of a sentence, or a subject, before a verb in the third person. An object must follow the verb. */
const BEFORE_THIRD =
  '(?:^|[.!?]\\s*|\\b(?:that|which|it|api|agent|bot|service|and|automatically|instantly)\\s+)';
const OBJECT = '\\s+(?:an?|the|your|any|one|new|this|it|on|via|tokens?|usdc|to)\\b';

function createPatterns({ verb, isStrong, data }: ActionRule): readonly RegExp[] {
  const isOther = `(?![\\s/]+(?:${DATA}|${PRICES}${data === undefined ? '' : `|${data}`}))`;
  const third = verb.endsWith('y') ? `${verb.slice(0, -1)}ies|${verb}s` : `${verb}e?s`;
  const gerund = toGerund(verb);
  if (isStrong) return [new RegExp(`\\b(?:${verb}|${third}|${gerund})\\b${isOther}`)];
  return [
    new RegExp(`${BEFORE_BASE}${verb}\\b${isOther}`, 'u'),
    new RegExp(`${BEFORE_THIRD}(?:${third})${OBJECT}`),
    new RegExp(`(?:^|[.!?]\\s*|\\b(?:for|by|and)\\s+)${gerund}\\b${isOther}`),
  ];
}

/** Returns a pattern of the gerund of a verb: `deleting` for `delete`, `swapping` for `swap`. */
function toGerund(verb: string): string {
  const stem = verb.replace(/(?<!e)e$/, '');
  return `${stem}${/[bdgmnpt]$/.test(stem) ? `${stem.slice(-1)}?` : ''}ing`;
}

const PATTERNS = [...PHRASES, ...RULES.flatMap(createPatterns)];

/**
 * Returns true if a text says that a call changes something outside of its response. Texts of providers are not written
 * for this purpose, so some harmless calls are refused as well.
 *
 * @param text words of a provider, or a segment of a path
 */
export function namesAction(text: string): boolean {
  const words = text
    .toLowerCase()
    .replaceAll(/[_+]+/g, ' ')
    .replaceAll(/(?<=[a-z0-9])-(?=[a-z0-9])/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return PATTERNS.some((pattern) => pattern.test(words));
}
