/**
 * Where matchmaking, calls and devices meet on `/`.
 *
 * Owns     the stores of search and calls, the engine of the page, which screen is shown
 * Ignores  routes, identity dialogs, shop: it opens them by name through `shared/dialogs`
 */
export { CallHost } from './call-host.tsx'
export { VideoHome, type VideoHomeProps } from './video-home.tsx'
