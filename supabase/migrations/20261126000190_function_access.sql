-- Function access: new functions have the default grants, which differ between installations.

-- Functions can be called only with the secret key. The exceptions are `ecosystem` and `search_by_words`, which return
-- only public rows.
revoke execute on all functions in schema public from public, anon, authenticated;
revoke execute on all functions in schema internal from public;
grant execute on all functions in schema public to service_role;
grant execute on all functions in schema internal to service_role;
grant execute on function public.ecosystem() to anon, authenticated;
grant execute on function public.search_by_words(text, integer) to anon, authenticated;
