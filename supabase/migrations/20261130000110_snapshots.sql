-- Snapshots: each row is read from JSON once. `(jsonb_populate_record(…)).*` reads it again for each column, which was two
-- thirds of the time of a call. The results are the same.

-- Stores snapshots with their inputs. Leaves a snapshot unchanged if another worker computed it later than p_now.
-- `content_changed` is true if the visible content of the snapshot has changed. p_rows: [{ snapshot: {…columns of
-- snapshots}, detail: { scoringVersion, inputs, facts }, search: { text_hash, text, described }, revision }];
-- `revision` is the revision of the state that was scored. A snapshot without a score range or a source, as the scoring
-- job of the first release sends it, has the range of its score and the source `directory`. A row without `search`
-- keeps the stored text; with `search: null`, the endpoint has no text. `better_alternatives` is not read from the rows.
-- After a change of the recommendation, or of the score by one point or more, the alternatives are counted again. After a
-- change of the text, there is no count until then.
create or replace function public.save_snapshots(p_now timestamptz, p_rows jsonb)
returns table (endpoint_id text, content_changed boolean)
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
begin
  -- Every transaction that writes `endpoint_states` first locks its rows in this order, which prevents deadlocks.
  perform 1 from public.endpoint_states s
  where s.endpoint_id in (select r -> 'snapshot' ->> 'endpoint_id' from jsonb_array_elements(p_rows) r)
  order by s.endpoint_id for update;

  if exists (
    select 1 from jsonb_array_elements(p_rows) r
    join public.snapshots s on s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id' and s.computed_at > p_now
  ) then
    select coalesce(jsonb_agg(r), '[]') into p_rows from jsonb_array_elements(p_rows) r
    where not exists (
      select 1 from public.snapshots s
      where s.endpoint_id = r -> 'snapshot' ->> 'endpoint_id' and s.computed_at > p_now
    );
  end if;

  perform internal.store_daily_scores(p_now, p_rows);
  perform internal.store_endpoint_wallets(p_rows);
  perform internal.store_search_rows(p_rows);

  return query
  with given as (
    select n.*, r -> 'detail' as detail,
      (r ->> 'revision')::bigint as revision, r -> 'search' ->> 'text_hash' as given_hash,
      case when r ? 'search' then coalesce((r -> 'search' ->> 'described')::boolean, false) end as given_described
    from jsonb_array_elements(p_rows) r
    cross join lateral jsonb_populate_record(null::public.snapshots, r -> 'snapshot') n
  ),
  before as (
    select s.endpoint_id, s.content_hash, s.content_changed_at
    from public.snapshots s join given g on g.endpoint_id = s.endpoint_id
  ),
  stored as (
    insert into public.snapshots as s (
      endpoint_id, public, slug, resource, host, method, service_name, description, templated, protocol_version,
      score, score_low, score_high, grade, recommendation, confidence, uptime_30d, latency_ms, latency_label,
      probes_30d, probed_per_day, due_per_day, mean_gap_seconds, amount_usd, price_stability, network, pay_on,
      first_seen, last_probed_at, listing_status, listing_source, delisted_at, directories, failing_since, last_failure,
      is_compliant, computed_at, content_hash, content_changed_at, days_tracked, error_flags, warning_flags,
      lowest_price_usd_30d, highest_price_usd_30d, text_hash, described
    )
    select g.endpoint_id, g.public, g.slug, g.resource, g.host, g.method, g.service_name, g.description, g.templated,
      g.protocol_version, g.score, coalesce(g.score_low, g.score), coalesce(g.score_high, g.score), g.grade,
      g.recommendation, g.confidence, g.uptime_30d, g.latency_ms, g.latency_label, g.probes_30d, g.probed_per_day,
      g.due_per_day, g.mean_gap_seconds, g.amount_usd, g.price_stability, g.network, g.pay_on, g.first_seen,
      g.last_probed_at, g.listing_status, coalesce(g.listing_source, 'directory'), g.delisted_at,
      coalesce(g.directories, '{}'), g.failing_since, g.last_failure, g.is_compliant, p_now, g.content_hash,
      case when b.content_hash = g.content_hash then b.content_changed_at else p_now end,
      g.days_tracked, g.error_flags, g.warning_flags, g.lowest_price_usd_30d, g.highest_price_usd_30d,
      g.given_hash, g.given_described
    from given g left join before b on b.endpoint_id = g.endpoint_id
    on conflict (endpoint_id) do update set
      public = excluded.public, slug = excluded.slug, resource = excluded.resource, host = excluded.host,
      method = excluded.method, service_name = excluded.service_name, description = excluded.description,
      templated = excluded.templated, protocol_version = excluded.protocol_version, score = excluded.score,
      score_low = excluded.score_low, score_high = excluded.score_high, grade = excluded.grade,
      recommendation = excluded.recommendation, confidence = excluded.confidence, uptime_30d = excluded.uptime_30d,
      latency_ms = excluded.latency_ms, latency_label = excluded.latency_label, probes_30d = excluded.probes_30d,
      probed_per_day = excluded.probed_per_day, due_per_day = excluded.due_per_day,
      mean_gap_seconds = excluded.mean_gap_seconds, amount_usd = excluded.amount_usd,
      price_stability = excluded.price_stability, network = excluded.network, pay_on = excluded.pay_on,
      first_seen = excluded.first_seen, last_probed_at = excluded.last_probed_at,
      listing_status = excluded.listing_status, listing_source = excluded.listing_source,
      delisted_at = excluded.delisted_at, directories = excluded.directories, failing_since = excluded.failing_since,
      last_failure = excluded.last_failure, is_compliant = excluded.is_compliant,
      computed_at = excluded.computed_at, content_hash = excluded.content_hash,
      content_changed_at =
        case when s.content_hash = excluded.content_hash then s.content_changed_at else excluded.content_changed_at end,
      days_tracked = excluded.days_tracked,
      error_flags = excluded.error_flags, warning_flags = excluded.warning_flags,
      lowest_price_usd_30d = excluded.lowest_price_usd_30d, highest_price_usd_30d = excluded.highest_price_usd_30d,
      text_hash = case when excluded.described is null then s.text_hash else excluded.text_hash end,
      described = coalesce(excluded.described, s.described),
      alternatives_counted_at = case
        when s.recommendation = excluded.recommendation and abs(s.score - excluded.score) < 1
          and (excluded.described is null or s.text_hash is not distinct from excluded.text_hash)
        then s.alternatives_counted_at
      end,
      better_alternatives = case
        when excluded.described is null or s.text_hash is not distinct from excluded.text_hash
        then s.better_alternatives
      end
    returning s.endpoint_id
  ),
  details as (
    insert into public.snapshot_details as d (endpoint_id, scoring_version, inputs, facts)
    select g.endpoint_id, g.detail ->> 'scoringVersion', g.detail -> 'inputs', g.detail -> 'facts'
    from given g
    on conflict (endpoint_id) do update set
      scoring_version = excluded.scoring_version, inputs = excluded.inputs, facts = excluded.facts
  ),
  dequeued as (
    delete from public.scoring_queue q using given g, public.endpoint_states s
    where q.endpoint_id = g.endpoint_id and s.endpoint_id = g.endpoint_id and s.revision = g.revision
  ),
  -- Endpoints whose revision changed during the score computation are scored again at once.
  requeued as (
    update public.scoring_queue q set due_at = p_now from given g, public.endpoint_states s
    where q.endpoint_id = g.endpoint_id and s.endpoint_id = g.endpoint_id and s.revision <> g.revision
      and q.due_at > p_now
  )
  select g.endpoint_id, b.content_hash is distinct from g.content_hash
  from given g left join before b on b.endpoint_id = g.endpoint_id;
end;
$$;
