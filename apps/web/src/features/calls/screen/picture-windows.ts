/** The partner's picture in a window of its own, or over the whole screen. Not every browser can do both. */

const REMOTE = 'video[data-remote-picture]'

/** A floating picture would show what safe video covers. */
export function canFloat(): boolean {
  return document.pictureInPictureEnabled && !document.querySelector('[data-safe-cover]')
}

export function canFillScreen(): boolean {
  return document.fullscreenEnabled
}

/** Opens the floating window, or closes it. Must run in a press. */
export async function toggleFloating(): Promise<void> {
  if (document.pictureInPictureElement) return closeFloating()
  const video = document.querySelector<HTMLVideoElement>(REMOTE)
  // A browser refuses while the picture has not arrived. The call goes on in the page.
  await video?.requestPictureInPicture().catch(() => {})
}

/** The whole page fills the screen, so that the controls of the call and its dialogs stay on it. Must run in a press. */
export async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) return closeFullScreen()
  await document.documentElement.requestFullscreen().catch(() => {})
}

export function closeFloating(): void {
  if (document.pictureInPictureElement) document.exitPictureInPicture().catch(() => {})
}

export function closeFullScreen(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
}
