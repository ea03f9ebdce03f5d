// `process.exit` joins the threads of native addons on its way out, and may wait for them for ever: a web process whose
// primary had been killed was found asleep in futex_wait four minutes later, without a socket, its main thread in the
// exit that node:cluster calls on `disconnect`. It happens by chance, so no test can say when Node no longer needs this;
// e2e/running.spec.ts holds what it is for: no process is left of a service that was stopped or killed.

/** Ends this process at once and for certain. What must be written is written before. */
export function endNow() {
  process.kill(process.pid, 'SIGKILL')
}
