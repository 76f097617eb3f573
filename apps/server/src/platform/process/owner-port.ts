/**
 * This server process as the owner of rows. Its lease tells others that it is alive; its advisory lock ends with its
 * connection, so a restart does not have to wait for the lease of a process that was killed.
 */
export interface ProcessOwner {
  /** @throws when it is not started */
  readonly id: number
  start(): Promise<void>
  /** Gives the lease back: others may claim what is still open at once. */
  stop(): Promise<void>
  /** As a killed process: the connection ends, the lease stays. */
  kill(): Promise<void>
}
