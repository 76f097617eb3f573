/**
 * The typed client of Duet: for the web app, tests, bots and load.
 *
 * `createConnection` is the line to the server (AUTH, actions, events, changes), `createSignalSocket` the line of a call,
 * `persistence` what outlives the page.
 */
export { createConnection, forced_retry_ms, retry_ms } from './connection.ts'
export type { AuthSuccess, Connection, ConnectionOptions, Phase, Snapshot } from './connection.ts'
export { keptRight } from './own-record.ts'
export { createSignalSocket, signal_timeout_ms } from './signal-socket.ts'
export type { SignalSocket, SignalSocketOptions } from './signal-socket.ts'
export { createHttp } from './http.ts'
export type { GetPath, Http, PostPath } from './http.ts'
export { isRefused, isSessionInvalid, NoAnswerError, RefusedError } from './call-errors.ts'
export type { AnsweredRefusal } from './call-errors.ts'
export { memoryStore, persistence } from './storage.ts'
export type { KeyValueStore, Persisted, Persistence } from './storage.ts'
export { claimTabId } from './tab.ts'
