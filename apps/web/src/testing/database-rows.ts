/** Row of the only endpoint in the catalog, as the database API returns it. */
export const SNAPSHOT_ROW = {
  endpoint_id: 'xvdduuxtfa',
  slug: 'api-example-com-weather-xvdduuxtfa',
  resource: 'https://api.example.com/weather',
  host: 'api.example.com',
  ...{ method: 'GET', service_name: null, description: null, templated: false, protocol_version: 2 },
  ...{ score: 87.4, score_low: 80, score_high: 90, grade: 'A', recommendation: 'proceed', confidence: 0.87 },
  ...{
    uptime_30d: null,
    latency_ms: null,
    latency_label: null,
    latency_ms_p50: null,
    latency_ms_p95: null,
    example_request: null,
    probes_30d: 0,
    probed_per_day: null,
  },
  ...{ scored_probes_30d: 0, blocked_30d: 0, blocked_since: null },
  ...{ due_per_day: null, mean_gap_seconds: null, amount_usd: null, lowest_price_usd_30d: null },
  ...{ highest_price_usd_30d: null, price_stability: null, network: null, pay_on: [] },
  ...{ first_seen: '2026-01-02T03:04:05+00:00', last_probed_at: null, days_tracked: 61 },
  ...{ listing_status: 'listed', listing_source: 'directory', delisted_at: null, directories: ['cdp'] },
  ...{ failing_since: null, last_failure: null, is_compliant: null, better_alternatives: null },
  ...{ computed_at: '2026-03-04T12:34:56+00:00', content_changed_at: '2026-03-03T00:00:00+00:00' },
  ...{ error_flags: 0, warning_flags: 0, delivery: null },
};

/** Active watch, as the database returns it, without its id, its secret and its state. */
export const WATCH_ROW = {
  endpointId: 'abcdefgh27',
  slug: 'api-example-com-weather-abcdefgh27',
  resource: 'https://api.example.com/weather',
  ...{ templated: false, isProbed: true, signingKey: 'encrypted' },
  events: ['payto_change', 'liveness_down'],
  livenessSensitivityN: 2,
  createdAt: '2026-03-01T00:00:00Z',
  activatedAt: '2026-03-01T00:00:05Z',
  expiresAt: '2026-03-31T00:00:00Z',
  ...{ cancelledAt: null, downSince: null, lastSequence: 1, destinations: [] },
  /** Only entry in the log of the watch. */
  createdEntry: {
    sequence: 1,
    kind: 'lifecycle',
    type: 'created',
    at: '2026-03-01T00:00:05Z',
    data: { expiresAt: '2026-03-31T00:00:00Z' },
  },
};

/** Published test purchase, as the database returns it. */
export const PURCHASE_ROW = {
  id: 'p_k5xgq2dlmvzw433bnz2gs3tbme',
  resource: 'https://api.example.com/weather',
  slug: 'api-example-com-weather-xvdduuxtfa',
  ...{ method: 'GET', requested_url: 'https://api.example.com/weather?city=Oslo', request_sha256: null },
  ...{ network: 'eip155:8453', asset: '0xusdc', payer: '0xa', pay_to: '0xb', amount: '10000' },
  ...{ amount_usd: '0.01', reserved_at: '2026-03-01T10:00:00+00:00', nonce: `0x${'3c'.repeat(32)}` },
  ...{ valid_before: '2026-03-01T10:01:00+00:00', answered_at: '2026-03-01T10:00:02+00:00' },
  ...{ http_status: 502, content_type: 'text/html', body_bytes: 9, body_sha256: 'a'.repeat(64) },
  ...{ total_ms: 820, failure: null, schema_findings: null, charged: true, transaction: '0xt' },
  ...{ block_number: 7, settled_at: '2026-03-01T10:00:03+00:00', outcome: 'paid-not-delivered' },
  ...{ decided_at: '2026-03-01T10:00:05+00:00', published_at: '2026-03-02T10:00:06+00:00' },
};
