import { findCanonicalUsdc, parseNetwork } from '@touchstone/x402';
import { z } from 'zod';

/**
 * Parses one RPC URL. Error messages contain the position of the URL in the setting instead of its text, because RPC
 * URLs often contain an API key.
 */
function parseRpcUrl(text: string, position: string, fail: (message: string) => void): string | null {
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return url.href;
  fail(`${position} is not an http or https URL`);
  return null;
}

function parseEntry(entry: string, fail: (message: string) => void): readonly [string, string[]] | null {
  const [, name = '', list = ''] = /^([^=]+)=(.+)$/.exec(entry) ?? [];
  if (name === '') {
    fail('each entry must be <network>=<url>, with further URLs after commas');
    return null;
  }
  const network = parseNetwork(name) ?? '';
  if (!/^(eip155|solana):/.test(network) || findCanonicalUsdc(network) === null) {
    fail(`${JSON.stringify(name.slice(0, 60))} is not an EVM or Solana network with a known USDC token`);
    return null;
  }
  const urls = list
    .split(',')
    .map((text, index) => parseRpcUrl(text, `URL ${index + 1} of ${network}`, fail))
    .filter((url) => url !== null);
  return [network, [...new Set(urls)]];
}

/**
 * Schema of the setting that lists the RPC URLs of each network. Parses the text to a map from CAIP-2 id to URLs.
 *
 * Example: `eip155:8453=https://a,https://b polygon=https://c`. Entries are separated by white space. A network is a
 * CAIP-2 id, a network name of x402 version 1 or the chain id of an EVM network. The URLs are in order of preference. An empty text configures no
 * network. Error messages never contain a URL.
 */
export const rpcSettingsSchema = z
  .string()
  .transform((text, context): ReadonlyMap<string, readonly string[]> => {
    const fail = (message: string): void => context.addIssue({ code: 'custom', message });
    const settings = new Map<string, readonly string[]>();
    for (const entry of text.split(/\s+/).filter((part) => part !== '')) {
      const parsed = parseEntry(entry, fail);
      if (parsed === null) continue;
      const [network, urls] = parsed;
      if (settings.has(network))
        fail(`${network} is given twice; list its URLs in one entry, separated by commas`);
      settings.set(network, urls);
    }
    return settings;
  });
