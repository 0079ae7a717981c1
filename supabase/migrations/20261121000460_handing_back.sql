-- Gives back single slots that p_owner holds and did not probe. With p_again they are due again at once; without, they
-- are let go, as when a host asked for a pause: the next slot of the endpoint comes at its own time. Slots that another
-- worker holds by now are left alone. Returns how many were given back.
create function public.hand_back_slots(
  p_owner text, p_endpoint_ids text[], p_slots timestamptz[], p_again boolean
)
returns integer
language sql
set search_path = ''
as $$
  select internal.release(p_owner, p_endpoint_ids, p_slots, p_again);
$$;
