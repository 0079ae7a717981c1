import { toCaip2 } from '@touchstone/x402';
import { z } from 'zod';
import { isReadable } from '../networks.ts';

/** Names its place and never its text: an RPC URL often carries a key. */
function readUrl(text: string, place: string, fail: (message: string) => void): string | null {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href;
  fail(`${place} is not an http or https URL`);
  return null;
}

function readEntry(entry: string, fail: (message: string) => void): readonly [string, string[]] | null {
  const [, name = '', list = ''] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
  if (name === '') {
    fail('every entry is <network>=<url>, with more URLs after commas');
    return null;
  }
  const network = toCaip2(name);
  if (!isReadable(network)) {
    fail(`${JSON.stringify(name.slice(0, 60))} is no EVM or Solana network whose USDC is known`);
    return null;
  }
  const urls = list
    .split(',')
    .map((text, index) => readUrl(text, `URL ${index + 1} of ${network}`, fail))
    .filter((url) => url !== null);
  return [network, [...new Set(urls)]];
}

/**
 * Reads which RPC URLs serve which network from a text such as
 * `eip155:8453=https://a,https://b polygon=https://c solana=https://d`: entries apart by white space, networks by
 * CAIP-2 id or by their version 1 name, URLs in the order in which they are preferred. An empty text is no network.
 *
 * Parses to a map from CAIP-2 id to URLs. Messages name networks and positions, never a URL.
 */
export const rpcSettingsSchema = z
  .string()
  .transform((text, context): ReadonlyMap<string, readonly string[]> => {
    const fail = (message: string): void => context.addIssue({ code: 'custom', message });
    const settings = new Map<string, readonly string[]>();
    for (const entry of text.split(/\s+/).filter((part) => part !== '')) {
      const read = readEntry(entry, fail);
      if (read === null) continue;
      const [network, urls] = read;
      if (settings.has(network))
        fail(`${network} is given twice; put its URLs behind one another with commas`);
      settings.set(network, urls);
    }
    return settings;
  });
