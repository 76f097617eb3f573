/**
 * This server process as the owner of rows. Its lease tells others that it is alive; its advisory lock ends with its
 * connection, so a restart does not have to wait for the lease of a process that was killed.
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
