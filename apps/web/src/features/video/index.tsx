/**
 * Video: search, offers, calls and what follows, on `/`.
 *
 * Owns     what the page knows of search and calls, the engine in the page, every screen from idle to receipt
 * Ignores  routes, identity dialogs, shop: it asks for them by name through `shared/dialogs`
 */
export { VideoHome, type VideoHomeProps } from './home/video-home.tsx'
