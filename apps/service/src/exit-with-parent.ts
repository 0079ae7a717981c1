/** Preloaded into processes that know nothing of the service (the web server): they never outlive it. */
process.on('disconnect', () => {
  process.exit(0);
});
