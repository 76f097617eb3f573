/** The dialogs of media, loaded together. */
export { AvatarDialog } from './avatar-dialog.tsx'
export { DeleteMediaDialog } from './delete-media-dialog.tsx'
export { ItemDialog } from './item-dialog.tsx'
