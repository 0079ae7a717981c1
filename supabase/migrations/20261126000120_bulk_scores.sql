-- Bulk scores: scores of many endpoints in one call.

-- Returns the public scores of endpoints. `inputs`: inputs of the score, from which the error flags are computed; null
-- without error flags. Endpoints that are unknown, not public or not scored yet are left out.
create function public.bulk_scores(p_endpoint_ids text[])
returns table (
  endpoint_id text, resource text, slug text, score double precision, grade text, recommendation text,
  confidence double precision, last_probed_at timestamptz, computed_at timestamptz, error_flags integer,
  scoring_version text, inputs jsonb
)
language sql stable
set search_path = ''
as $$
  select s.endpoint_id, s.resource, s.slug, s.score, s.grade, s.recommendation, s.confidence, s.last_probed_at,
    s.computed_at, s.error_flags, d.scoring_version, case when s.error_flags > 0 then d.inputs end
  from public.snapshots s join public.snapshot_details d on d.endpoint_id = s.endpoint_id
  where s.endpoint_id = any (p_endpoint_ids) and s.public;
$$;
