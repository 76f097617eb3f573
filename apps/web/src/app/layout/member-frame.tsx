/** The frame around the pages of members; visitors do not load it. */
export { HeaderEnd } from './header-end.tsx'
export { Rail } from './rail.tsx'
export { TabBar } from './tab-bar.tsx'
