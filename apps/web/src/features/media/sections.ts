/** The sections of media on the page /profile/, loaded together. */
export { AvatarSection } from './avatar-section.tsx'
export { PhotosSection, VideosSection } from './gallery-section.tsx'
