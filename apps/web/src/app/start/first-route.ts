import type { CatalogName } from '../../shared/i18n.ts'

/** The texts that the landing page, that of a demo too, and a blank frame need. Everything else is loaded with its screen. */
export const FIRST_ROUTE_TEXTS: readonly CatalogName[] = ['app', 'landing', 'demo']
