/** Notices: the bell of the header. */
export { Bell } from './bell.tsx'
