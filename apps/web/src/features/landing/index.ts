/** Landing: the page of visitors, the block under the idle screen, the footer. */
import type texts from '@duet/locales/en/landing.json'

export { Footer } from './footer.tsx'
export { Landing, type LandingProps } from './landing.tsx'
export { LandingBlock } from './landing-block.tsx'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    landing: typeof texts
  }
}
