/** Event types of watches in plain words. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  connection_test: 'Connection test',
  payto_change: 'The wallet that receives payments changed',
  price_change: 'The price changed',
  asset_network_change: 'The token or the network changed',
  spec_regression: 'The challenge follows x402 less well than before',
  delisting: 'The endpoint is no longer listed',
  liveness_down: 'The endpoint is down',
  liveness_recovered: 'The endpoint is up again',
  renewed: 'The watch was renewed',
  cancelled: 'The watch was cancelled',
  expiring: 'The watch expires soon',
  expired: 'The watch has expired',
  delivery_disabled: 'Deliveries to another destination were stopped',
};

/** Formats an event type in plain words. Returns an unknown type unchanged. */
export function formatEventType(type: string): string {
  return (Object.hasOwn(EVENT_WORDS, type) ? EVENT_WORDS[type] : undefined) ?? type;
}
