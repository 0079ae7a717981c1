-- Access to sequences. Supabase gives the public roles all rights on new sequences of the schema `public`, and only the
-- service uses them.

revoke all on all sequences in schema public from public, anon, authenticated;
