/**
 * Monitoring: how the calls of this browser are, reported to a collector of call quality.
 *
 * Owns        the session of a call, the watched connections, what is sent and repeated
 * Ignores     the application: which calls there are, React, the protocol of the application
 * Invariants  nothing is sent without a session · events wait until the collector knows their session and connection ·
 *             a closed connection is removed · a failure of the collector reaches only `addConnection`
 */
export { Monitoring } from './monitoring.ts'
export type { MonitoringClock, MonitoringEnvironment, PageEvent } from './environment.ts'
export type { AddedConnection, MonitoringOptions, NamedConnection } from './validation.ts'
