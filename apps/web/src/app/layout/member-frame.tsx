/** The frame around the pages of members. Visitors do not load this frame. */
export { HeaderEnd } from './header-end.tsx'
export { Rail } from './rail.tsx'
export { TabBar } from './tab-bar.tsx'
