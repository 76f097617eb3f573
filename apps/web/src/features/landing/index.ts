/** Landing: the page of visitors, the block under the idle screen, the footer. */
export { Footer } from './footer.tsx'
export { Landing, type LandingProps } from './landing.tsx'
export { LandingBlock } from './landing-block.tsx'
