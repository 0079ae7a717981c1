import { searchRouter } from './search-router.ts';
import { createCallerFactory, router } from './trpc.ts';

/** Procedures of the site. Pages call them on the server, and browsers call them at `/api/trpc`. */
export const appRouter = router({ search: searchRouter });

/** Creates a caller that runs the procedures in this process. */
export const createCaller = createCallerFactory(appRouter);
