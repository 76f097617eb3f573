/**
 * The typed client of Duet: for the web app, tests, bots and load.
 *
 * - `createConnection`: the connection to the server, with AUTH, actions, events and changes.
 * - `createSignalSocket`: the socket of a call.
 * - `persistence`: the values that outlive the page.
 *
 * Calls reject with `RefusedError` or `NoAnswerError`. `isRefused` distinguishes the refusals.
 */
export { isRefused, isSessionInvalid, NoAnswerError, RefusedError } from './call-errors.ts'
export type { AnsweredRefusal } from './call-errors.ts'
export type { AuthAnswer, Credentials } from './login/authentication.ts'
export type { SolveCaptcha } from './login/captcha.ts'
export { createConnection } from './connection.ts'
export type { ClientConnection, ConnectionOptions } from './connection.ts'
export { refusalBehind } from './connecting/connection-problem.ts'
export type { ConnectionProblem } from './connecting/connection-problem.ts'
export type {
  ConnectionEvents,
  ConnectionPhase,
  ConnectionSnapshot,
  MissedEvents,
} from './connection-state.ts'
export { createHttp } from './http.ts'
export type { GetPath, Http, PostPath } from './http.ts'
export { createSignalSocket } from './signal-socket.ts'
export type { SignalSocket, SignalSocketOptions } from './signal-socket.ts'
export { memoryStore, persistence } from './storage.ts'
export type { KeyValueStore, Persisted, Persistence, UnsentMessage } from './storage.ts'
export { claimTabId } from './tab-id.ts'
