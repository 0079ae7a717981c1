import { Inngest } from 'inngest';
import { serve } from 'inngest/next';
import { createInngestFunctions } from '@touchstone/pipeline';
import { jobContext } from '../../../jobs.ts';

/**
 * Where Inngest calls the jobs. Requests must be signed with `INNGEST_SIGNING_KEY`; without one nothing runs here
 * (on one machine the jobs are scheduled by the service itself).
 */
const client = new Inngest({ id: 'touchstone' });

export const { GET, POST, PUT } = serve({ client, functions: createInngestFunctions(client, jobContext) });
