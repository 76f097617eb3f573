/**
 * This server process as the owner of rows. Its lease shows other processes that it is alive. Its advisory
 * lock ends with its connection, so a restart after a kill does not wait for the lease.
 */
export interface ProcessOwner {
  /** @throws when it is not started */
  readonly id: number
  start(): Promise<void>
  /** Returns the lease: other server processes may claim the open processes at once. */
  stop(): Promise<void>
  /** Behaves like a killed server process: the connection ends, the lease stays. */
  kill(): Promise<void>
}
