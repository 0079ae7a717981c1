-- Function access.

-- Functions are called with the secret key only, except the one that reads public rows.
revoke execute on all functions in schema public from public, anon, authenticated;
revoke execute on all functions in schema internal from public;
grant execute on all functions in schema public to service_role;
grant execute on all functions in schema internal to service_role;
grant execute on function public.ecosystem() to anon, authenticated;
