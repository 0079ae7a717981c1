// Preloaded into the web server, so that it exits when the service exits for any reason.
process.on('disconnect', () => {
  process.exit(0);
});
