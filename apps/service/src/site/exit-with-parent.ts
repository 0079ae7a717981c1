// This file is preloaded into the process of the web server. The IPC channel closes when the service exits for any
// reason, and the web server then exits too.
process.on('disconnect', () => {
  process.exit(0);
});
